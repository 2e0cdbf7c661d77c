//! What users hang into the path of a request.

use crate::call::Call;
use crate::conn::Peer;
use crate::registry::MethodDescriptor;
use crate::status::Status;

/// Sees every call before its body is decoded, and may refuse it.
///
/// Runs on the connection's task: it must not block. Closures of the same form are interceptors.
pub trait Interceptor: Send + Sync + 'static {
    /// Lets the call pass, or says with which error it is refused.
    ///
    /// # Errors
    /// The error that the caller gets.
    fn intercept(&self, call: &mut Call, method: &MethodDescriptor) -> Result<(), Status>;
}

impl<Check> Interceptor for Check
where
    Check: Fn(&mut Call, &MethodDescriptor) -> Result<(), Status> + Send + Sync + 'static,
{
    fn intercept(&self, call: &mut Call, method: &MethodDescriptor) -> Result<(), Status> {
        self(call, method)
    }
}

/// Checks who is at the other end of a connection.
///
/// Asked once per connection, with what its first request carries, as brpc does. Refused: the
/// request is answered ERPCAUTH and the connection closed. Runs on the connection's task: it must
/// not block.
pub trait Authenticator: Send + Sync + 'static {
    /// Accepts the peer, or says why not.
    ///
    /// # Errors
    /// The text goes to the peer behind `Fail to authenticate`.
    fn verify(&self, authentication_data: &[u8], peer: &Peer) -> Result<(), String>;
}

impl<Check> Authenticator for Check
where
    Check: Fn(&[u8], &Peer) -> Result<(), String> + Send + Sync + 'static,
{
    fn verify(&self, authentication_data: &[u8], peer: &Peer) -> Result<(), String> {
        self(authentication_data, peer)
    }
}
