//! The table itself: registration, lookup, iteration.

use super::entry::MethodHandle;
use super::hash::service_id;
use super::{Codec, MethodEntry, Methods, Service, ServiceDescriptor};
use crate::status::Status;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The methods that a server, or an in-process channel, serves. A cheap handle: clones share one
/// table, and a change is seen by everyone who serves it from the next call on.
///
/// Services of every codec stand in one table; whichever protocol a call comes by, it finds the
/// same methods, limits and counters.
#[derive(Clone, Default)]
pub struct Registry(Arc<Shared>);

#[derive(Default)]
struct Shared {
    current: Mutex<Arc<Table>>,
    /// Counts the changes of `current`, so that a connection can keep its own `Arc<Table>` and
    /// look at one shared, rarely written word per batch of calls instead of taking a lock.
    version: AtomicU64,
}

/// One state of the registry; never changed once it is shared.
#[derive(Clone, Default)]
pub(crate) struct Table {
    services: BTreeMap<&'static str, Arc<ServiceEntry>>,
    by_name: HashMap<&'static str, Arc<ServiceEntry>>,
    /// FlatBuffers services by their wire id.
    by_id: HashMap<u32, Arc<ServiceEntry>>,
    /// Services by their last name segment; `None` where two Protobuf services share it.
    by_short_name: HashMap<&'static str, Option<Arc<ServiceEntry>>>,
}

struct ServiceEntry {
    descriptor: &'static ServiceDescriptor,
    methods: HashMap<&'static str, Arc<MethodEntry>>,
    by_id: HashMap<u32, Arc<MethodEntry>>,
    order: Vec<Arc<MethodEntry>>,
}

/// Why a method was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LookupError {
    NoService,
    NoMethod,
}

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a service with all its methods, or nothing.
    ///
    /// # Errors
    /// [`RegisterError`] when its name is taken, when its methods do not fit its descriptor, or
    /// when a FlatBuffers service has the same wire id as another.
    pub fn register(&self, service: impl Service) -> Result<&Self, RegisterError> {
        let descriptor = service.descriptor();
        let mut methods = Methods::default();
        service.register(&mut methods);
        let entry = Arc::new(ServiceEntry::new(descriptor, methods)?);
        let mut current = self.lock();
        current.check_clashes(descriptor)?;
        let mut table = Table::clone(&current);
        table.services.insert(descriptor.full_name(), entry);
        self.publish(&mut current, table);
        Ok(self)
    }

    /// Removes a service; calls that already run go on. False when there is none of this name.
    pub fn remove(&self, full_name: &str) -> bool {
        let mut current = self.lock();
        let mut table = Table::clone(&current);
        let found = table.services.remove(full_name).is_some();
        if found {
            self.publish(&mut current, table);
        }
        found
    }

    /// The method `package.Service/Method`.
    ///
    /// # Errors
    /// ENOSERVICE or ENOMETHOD.
    pub fn method(&self, full_name: &str) -> Result<MethodHandle, Status> {
        let (service, method) = full_name.split_once('/').unwrap_or((full_name, ""));
        match self.snapshot().find(service, method) {
            Ok(entry) => Ok(MethodHandle(entry.clone())),
            Err(LookupError::NoService) => {
                Err(Status::new(1001, format!("Fail to find service={service}")))
            }
            Err(LookupError::NoMethod) => {
                Err(Status::new(1002, format!("Fail to find method={full_name}")))
            }
        }
    }

    /// All services, by name.
    pub fn services(&self) -> impl Iterator<Item = ServiceHandle> + use<> {
        let services: Vec<_> = self.snapshot().services.values().cloned().collect();
        services.into_iter().map(ServiceHandle)
    }

    /// All methods, by service name and then in the schema's order: the one iteration that
    /// limits, statistics and listings use.
    pub fn methods(&self) -> impl Iterator<Item = MethodHandle> + use<> {
        self.services().flat_map(|service| service.methods().collect::<Vec<_>>())
    }

    fn publish(&self, current: &mut MutexGuard<'_, Arc<Table>>, mut table: Table) {
        table.index();
        **current = Arc::new(table);
        self.0.version.fetch_add(1, Ordering::Release);
    }

    fn snapshot(&self) -> Arc<Table> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Table>> {
        // A table is replaced whole, so a panic elsewhere cannot have left it half changed.
        self.0.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.methods().map(|method| method.full_name())).finish()
    }
}

impl Table {
    /// The method of a service by its full name. Two hash lookups, no allocation.
    pub(crate) fn find(
        &self,
        service: &str,
        method: &str,
    ) -> Result<&Arc<MethodEntry>, LookupError> {
        let service = self.by_name.get(service).ok_or(LookupError::NoService)?;
        service.methods.get(method).ok_or(LookupError::NoMethod)
    }

    /// The method of a service by the last segment of its name, when that is unambiguous.
    pub(crate) fn find_by_short_name(
        &self,
        service: &str,
        method: &str,
    ) -> Result<&Arc<MethodEntry>, LookupError> {
        let service = self.by_short_name.get(service).and_then(Option::as_ref);
        service.ok_or(LookupError::NoService)?.methods.get(method).ok_or(LookupError::NoMethod)
    }

    /// The method of a FlatBuffers service by their numbers.
    pub(crate) fn find_by_id(&self, service: u32, method: i32) -> Option<&Arc<MethodEntry>> {
        let method = u32::try_from(method).ok()?;
        self.by_id.get(&service)?.by_id.get(&method)
    }

    fn check_clashes(&self, new: &'static ServiceDescriptor) -> Result<(), RegisterError> {
        if self.services.contains_key(new.full_name()) {
            return Err(RegisterError::DuplicateService { service: new.full_name() });
        }
        if new.codec() != Codec::FlatBuffers {
            return Ok(());
        }
        let id = service_id(new.full_name());
        let clash = self.services.values().map(|entry| entry.descriptor).find(|other| {
            other.codec() == Codec::FlatBuffers && service_id(other.full_name()) == id
        });
        clash.map_or(Ok(()), |other| {
            Err(RegisterError::WireIdClash {
                service: new.full_name(),
                other: other.full_name(),
                id,
            })
        })
    }

    fn index(&mut self) {
        self.by_name = self.services.iter().map(|(name, entry)| (*name, entry.clone())).collect();
        self.by_id = self
            .services
            .iter()
            .filter(|(_, entry)| entry.descriptor.codec() == Codec::FlatBuffers)
            .map(|(name, entry)| (service_id(name), entry.clone()))
            .collect();
        self.by_short_name.clear();
        // Short names come over baidu_std, which carries Protobuf: a twin in another codec is no
        // rival, but it is found where there is nothing else, to be told from no service at all.
        let (protobuf, others): (Vec<_>, Vec<_>) =
            self.services.values().partition(|entry| entry.descriptor.codec() == Codec::Protobuf);
        let short = |entry: &ServiceEntry| {
            let name = entry.descriptor.full_name();
            name.rsplit('.').next().unwrap_or(name)
        };
        for entry in protobuf {
            self.by_short_name
                .entry(short(entry))
                .and_modify(|other| *other = None)
                .or_insert_with(|| Some(entry.clone()));
        }
        for entry in others {
            self.by_short_name.entry(short(entry)).or_insert_with(|| Some(entry.clone()));
        }
    }
}

impl ServiceEntry {
    fn new(
        descriptor: &'static ServiceDescriptor,
        methods: Methods,
    ) -> Result<Self, RegisterError> {
        let service = descriptor.full_name();
        let mut by_id = HashMap::new();
        let mut by_name = HashMap::new();
        let mut order = Vec::new();
        for entry in methods.entries {
            let method = entry.descriptor.full_name();
            if entry.descriptor.service() != service
                || entry.descriptor.codec() != descriptor.codec()
            {
                return Err(RegisterError::ForeignMethod { service, method });
            }
            let entry = Arc::new(entry);
            if let Some(id) = entry.descriptor.explicit_id()
                && by_id.insert(id, entry.clone()).is_some()
            {
                return Err(RegisterError::DuplicateMethod { method });
            }
            if by_name.insert(entry.descriptor.name(), entry.clone()).is_some() {
                return Err(RegisterError::DuplicateMethod { method });
            }
            order.push(entry);
        }
        match descriptor.methods().iter().find(|method| !by_name.contains_key(method.name())) {
            Some(method) => Err(RegisterError::MissingMethod { method: method.full_name() }),
            None => Ok(Self { descriptor, methods: by_name, by_id, order }),
        }
    }
}

/// A registered service. A cheap handle.
#[derive(Clone)]
pub struct ServiceHandle(Arc<ServiceEntry>);

impl ServiceHandle {
    /// `package.Service`.
    pub fn full_name(&self) -> &'static str {
        self.0.descriptor.full_name()
    }

    /// How its messages are encoded.
    pub fn codec(&self) -> Codec {
        self.0.descriptor.codec()
    }

    /// Its static facts.
    pub fn descriptor(&self) -> &'static ServiceDescriptor {
        self.0.descriptor
    }

    /// Its methods, in the schema's order.
    pub fn methods(&self) -> impl Iterator<Item = MethodHandle> + '_ {
        self.0.order.iter().cloned().map(MethodHandle)
    }
}

impl fmt::Debug for ServiceHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServiceHandle({}, {})", self.full_name(), self.codec())
    }
}

/// Why a service was not registered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegisterError {
    /// A service of this name is registered already.
    DuplicateService {
        /// Its full name.
        service: &'static str,
    },
    /// Two FlatBuffers services whose names hash to one wire id.
    WireIdClash {
        /// The service that was to be registered.
        service: &'static str,
        /// The one that has the id.
        other: &'static str,
        /// The id both have.
        id: u32,
    },
    /// Two handlers for one method, or two methods with one explicit id.
    DuplicateMethod {
        /// The second of them.
        method: &'static str,
    },
    /// A handler for a method of another service or codec.
    ForeignMethod {
        /// The service that was to be registered.
        service: &'static str,
        /// The method that is not its own.
        method: &'static str,
    },
    /// The descriptor lists a method that has no handler.
    MissingMethod {
        /// The method.
        method: &'static str,
    },
}

impl fmt::Display for RegisterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateService { service } => write!(
                f,
                "service `{service}` is registered already; remove it first, or give one of the \
                 two another package"
            ),
            Self::WireIdClash { service, other, id } => write!(
                f,
                "services `{service}` and `{other}` have the same FRPC service id {id:#010x}; \
                 rename one of them"
            ),
            Self::DuplicateMethod { method } => {
                write!(f, "method `{method}` is registered twice, or shares its explicit id")
            }
            Self::ForeignMethod { service, method } => {
                write!(f, "method `{method}` does not belong to service `{service}`")
            }
            Self::MissingMethod { method } => {
                write!(f, "method `{method}` is declared but has no handler")
            }
        }
    }
}

impl std::error::Error for RegisterError {}

/// A connection's own reference to the table, renewed when the registry changed, and the method it found last: most
/// connections call one method over and over.
pub(crate) struct TableCache {
    registry: Registry,
    version: u64,
    table: Arc<Table>,
    last: Option<Arc<MethodEntry>>,
}

impl TableCache {
    pub(crate) fn new(registry: Registry) -> Self {
        let version = registry.0.version.load(Ordering::Acquire);
        let table = registry.snapshot();
        Self { registry, version, table, last: None }
    }

    /// The current table. One load where nothing changed.
    pub(crate) fn table(&mut self) -> &Table {
        let version = self.registry.0.version.load(Ordering::Acquire);
        if version != self.version {
            // Version first: if the table changes in between, the next look renews it again.
            self.version = version;
            self.table = self.registry.snapshot();
            self.last = None;
        }
        &self.table
    }

    /// The method that was found last, if the registry has not changed since.
    pub(crate) fn last(&mut self) -> Option<&Arc<MethodEntry>> {
        self.table();
        self.last.as_ref()
    }

    /// Finds a method by way of `find`, unless it is `wanted` again.
    pub(crate) fn find_or_last<Error>(
        &mut self,
        is_wanted: impl FnOnce(&MethodEntry) -> bool,
        find: impl Fn(&Table) -> Result<&Arc<MethodEntry>, Error>,
    ) -> Result<&Arc<MethodEntry>, Error> {
        let again = self.last().is_some_and(|last| is_wanted(last));
        if !again {
            self.last = Some(find(&self.table)?.clone());
        }
        match &self.last {
            Some(last) => Ok(last),
            None => find(&self.table),
        }
    }
}
