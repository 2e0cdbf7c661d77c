//! Code as users write it for flatc's output, compiled against both. `schema` is the module of the
//! namespace `zoo`.

use flatbuffers::{FlatBufferBuilder, WIPOffset};
use schema::*;

/// Fills every kind of field.
pub fn build(fbb: &mut FlatBufferBuilder<'_>) {
    let name = fbb.create_string("Ωmega \"quoted\"");
    let rname = fbb.create_shared_string("shared");
    let rname_again = fbb.create_shared_string("shared");
    assert_eq!(rname.value(), rname_again.value());
    let v = V3::new(1.5, -2.0, Color::Green, Flags::F2 | Flags::Big, &[1, 2, 3], &[Color::Red, Color::type_], true);
    let mut w = W::new(&v, &[v, V3::default()], -7, 9);
    w.set_type_(10);
    let m = M1::create(fbb, &M1Args { x: 4 });
    let rm = {
        let mut builder = M1Builder::new(fbb);
        builder.add_x(5);
        builder.finish()
    };
    let one = fbb.create_string("one");
    let two = fbb.create_string("two");
    let m2 = M2::create(fbb, &M2Args { name: Some(one) });
    let m2b = M2::create(fbb, &M2Args { name: Some(two) });
    let vi = fbb.create_vector(&[1_i32, -2, 3]);
    let vb = fbb.create_vector(&[0_u8, 255]);
    let vs = fbb.create_vector(&[one, two]);
    let vm = fbb.create_vector(&[m, rm]);
    let vk = fbb.create_vector(&[m2, m2b]);
    let vv = fbb.create_vector(&[v, v]);
    let vw = fbb.create_vector(&[w]);
    let vc = fbb.create_vector(&[Color::Blue, Color::Red]);
    let vf = fbb.create_vector(&[Flags::F1, Flags::F1 | Flags::F2]);
    let vbool = fbb.create_vector(&[true, false]);
    let mut inner = FlatBufferBuilder::new();
    let root = M1::create(&mut inner, &M1Args { x: 77 });
    inner.finish(root, None);
    let n = fbb.create_vector(inner.finished_data());
    let animal: WIPOffset<Animal<'_>> = Animal::create(
        fbb,
        &AnimalArgs {
            fooBar: 33,
            type_: -1,
            b: false,
            ul: u64::MAX,
            fl: 0.25,
            o: Some(0),
            oe: Some(Color::Red),
            c: Color::Green,
            name: Some(name),
            rname: Some(rname),
            v: Some(&v),
            rv: Some(&v),
            w: Some(&w),
            m: Some(m),
            rm: Some(rm),
            u_type: U::M2,
            u: Some(m2.as_union_value()),
            ru_type: U::Ali,
            ru: Some(m.as_union_value()),
            vi: Some(vi),
            vb: Some(vb),
            vs: Some(vs),
            vm: Some(vm),
            vk: Some(vk),
            vv: Some(vv),
            vw: Some(vw),
            vc: Some(vc),
            vf: Some(vf),
            rvi: Some(vi),
            vbool: Some(vbool),
            n: Some(n),
            ..Default::default()
        },
    );
    finish_animal_buffer(fbb, animal);
}

/// Reads every kind of field, as one text.
pub fn read(bytes: &[u8]) -> Result<String, flatbuffers::InvalidFlatbuffer> {
    assert!(animal_buffer_has_identifier(bytes));
    let animal = root_as_animal(bytes)?;
    let mut out = Vec::new();
    out.push(format!("{} {} {} {}", animal.fooBar(), animal.type_(), animal.b(), animal.ul()));
    out.push(format!("{} {} {} {}", animal.by(), animal.ub(), animal.s(), animal.us()));
    out.push(format!("{} {} {} {} {}", animal.ui(), animal.l(), animal.fl(), animal.d(), animal.inf()));
    out.push(format!("{:?} {:?} {:?} {:?}", animal.o(), animal.ob(), animal.oe(), animal.c()));
    out.push(format!("{:?} {} {}", animal.name(), animal.rname(), animal.dname()));
    let v: &V3 = animal.rv();
    out.push(format!("{v:?} {:?}", animal.v() == Some(v)));
    out.push(format!("{} {:?} {:?}", v.x(), v.a().iter().collect::<Vec<u8>>(), v.e().get(1)));
    let w = animal.w().expect("w");
    out.push(format!("{} {} {:?}", w.i(), w.type_(), w.vs().get(1).f()));
    out.push(format!("{:?}", w.key_compare_with_value(0)));
    out.push(format!("{:?} {}", animal.m().map(|m| m.x()), animal.rm().x()));
    out.push(format!("{:?} {:?}", animal.u_type(), animal.u_as_m2().map(|m| m.name().to_owned())));
    out.push(format!("{:?} {:?} {:?}", animal.ru_type(), animal.ru_as_ali().map(|m| m.x()), animal.ru_as_m1().is_some()));
    out.push(format!("{:?} {:?}", animal.u().is_some(), animal.ru_type().variant_name()));
    out.push(format!("{:?} {:?}", animal.vi(), animal.rvi().iter().sum::<i32>()));
    out.push(format!("{:?} {:?}", animal.vb().map(|v| v.bytes().to_vec()), animal.vs()));
    let keyed = animal.vk().expect("vk");
    out.push(format!("{:?}", keyed.lookup_by_key("two", |m, k| m.key_compare_with_value(k)).is_some()));
    out.push(format!("{}", keyed.get(0).key_compare_less_than(&keyed.get(1))));
    out.push(format!("{:?} {:?}", animal.vm().map(|v| v.len()), animal.vv()));
    out.push(format!("{:?} {:?} {:?} {:?}", animal.vw(), animal.vc(), animal.vf(), animal.vbool()));
    out.push(format!("{}", animal.n_nested_flatbuffer().expect("nested").x()));
    out.push(format!("{:?} {:?}", Color::ENUM_MIN, Color::ENUM_VALUES.len()));
    out.push(format!("{} {} {}", Animal::VT_FOOBAR, ANIMAL_IDENTIFIER, ANIMAL_EXTENSION));
    Ok(out.join("\n"))
}
