//! The one table: brpc errno, gRPC code, HTTP status.

use std::fmt;

/// What went wrong, in brpc's numbers (`errno.proto`); a service may use numbers of its own.
///
/// Numbers below 1000 are those of the operating system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(i32);

/// A gRPC status code, 0 to 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GrpcCode(pub u8);

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $number:literal => grpc $grpc:literal, http $http:literal;)+) => {
        impl Code {
            $($(#[doc = $doc])+ pub const $name: Self = Self($number);)+
        }

        const TABLE: &[Row] = &[
            $(Row { code: Code::$name, name: stringify!($name), grpc: $grpc, http: $http },)+
        ];
    };
}

struct Row {
    code: Code,
    name: &'static str,
    grpc: u8,
    http: u16,
}

codes! {
    /// Success. Never stands in a [`Status`](crate::Status).
    OK = 0 => grpc 0, http 200;
    /// Not permitted.
    EPERM = 1 => grpc 7, http 403;
    /// The connect attempt timed out.
    ETIMEDOUT = 110 => grpc 14, http 503;
    /// The peer refused the connection.
    ECONNREFUSED = 111 => grpc 14, http 503;
    /// The peer cannot be reached, or its name cannot be resolved.
    EHOSTDOWN = 112 => grpc 14, http 503;
    /// No such service.
    ENOSERVICE = 1001 => grpc 12, http 404;
    /// No such method.
    ENOMETHOD = 1002 => grpc 12, http 404;
    /// The request is malformed.
    EREQUEST = 1003 => grpc 3, http 400;
    /// The peer could not be authenticated.
    ERPCAUTH = 1004 => grpc 16, http 401;
    /// Too many sub-calls failed.
    ETOOMANYFAILS = 1005 => grpc 13, http 500;
    /// A backup request was sent (internal to a client).
    EBACKUPREQUEST = 1007 => grpc 13, http 500;
    /// The call did not finish in time.
    ERPCTIMEDOUT = 1008 => grpc 4, http 504;
    /// The connection broke.
    EFAILEDSOCKET = 1009 => grpc 14, http 503;
    /// An HTTP call failed.
    EHTTP = 1010 => grpc 13, http 500;
    /// Too many bytes wait to be written; the call was not executed.
    EOVERCROWDED = 1011 => grpc 8, http 429;
    /// The peer closed the connection.
    EEOF = 1014 => grpc 14, http 503;
    /// TLS failed.
    ESSL = 1016 => grpc 13, http 500;
    /// Rejected.
    EREJECT = 1018 => grpc 13, http 500;
    /// A fault on the server.
    EINTERNAL = 2001 => grpc 13, http 500;
    /// The response is malformed.
    ERESPONSE = 2002 => grpc 13, http 500;
    /// The server is stopping; the call was not executed.
    ELOGOFF = 2003 => grpc 14, http 503;
    /// A concurrency limit is reached; the call was not executed.
    ELIMIT = 2004 => grpc 8, http 429;
    /// The peer closed the connection on purpose.
    ECLOSE = 2005 => grpc 13, http 500;
}

impl Code {
    /// The code with this number.
    pub const fn new(number: i32) -> Self {
        Self(number)
    }

    /// The number on the wire.
    pub const fn number(self) -> i32 {
        self.0
    }

    /// brpc's name, such as `EREQUEST`; `None` for a number of a service's own.
    pub fn name(self) -> Option<&'static str> {
        self.row().map(|row| row.name)
    }

    /// The gRPC code for it. Numbers that the table does not name are INTERNAL (13).
    pub fn grpc(self) -> GrpcCode {
        GrpcCode(self.row().map_or(13, |row| row.grpc))
    }

    /// The HTTP status for it. Numbers that the table does not name are 500.
    pub fn http(self) -> u16 {
        self.row().map_or(500, |row| row.http)
    }

    /// The brpc number that stands for a gRPC code.
    pub fn from_grpc(grpc: GrpcCode) -> Self {
        match grpc.0 {
            0 => Self::OK,
            3 => Self::EREQUEST,
            4 => Self::ERPCTIMEDOUT,
            7 => Self::EPERM,
            8 => Self::ELIMIT,
            12 => Self::ENOMETHOD,
            14 => Self::EFAILEDSOCKET,
            16 => Self::ERPCAUTH,
            _ => Self::EINTERNAL,
        }
    }

    fn row(self) -> Option<&'static Row> {
        TABLE.iter().find(|row| row.code == self)
    }
}

impl From<i32> for Code {
    fn from(number: i32) -> Self {
        Self(number)
    }
}

/// `E1003 EREQUEST`, or `E1234` for a number of a service's own.
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "E{}", self.0)?;
        self.name().map_or(Ok(()), |name| write!(f, " {name}"))
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_names_every_number_once() {
        for (index, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..index].iter().all(|other| other.code != row.code), "{}", row.name);
        }
    }

    #[test]
    fn grpc_round_trip_keeps_the_grpc_code() {
        for row in TABLE {
            assert_eq!(Code::from_grpc(row.code.grpc()).grpc(), row.code.grpc(), "{}", row.name);
        }
    }

    #[test]
    fn unknown_numbers_are_internal() {
        assert_eq!(Code::new(77_777).grpc(), GrpcCode(13));
        assert_eq!(Code::new(77_777).http(), 500);
        assert_eq!(Code::new(77_777).to_string(), "E77777");
    }
}
