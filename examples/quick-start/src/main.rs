//! The quick start of the README, compiled and run.

stubwire::include_tree!();

struct Polite;
impl greet::Greeter for Polite {
    async fn greet(
        &self,
        _: &mut stubwire::Call,
        request: greet::Name,
    ) -> Result<greet::Greeting, stubwire::Status> {
        Ok(greet::Greeting { text: format!("Hello, {}!", request.name) })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = stubwire::Registry::new();
    registry.register(greet::GreeterServer::new(Polite))?;
    let server = stubwire::Server::new(registry).bind("127.0.0.1:0").await?;
    let client = greet::GreeterClient::new(stubwire::Channel::lazy(
        format!("prpc://{}", server.local_addr()?),
        Default::default(),
    )?);
    tokio::spawn(server.serve());
    println!("{}", client.greet(greet::Name { name: "world".into() }).await?.text);
    Ok(())
}
