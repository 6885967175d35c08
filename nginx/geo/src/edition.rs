//! The databases that there are.

/// What a database says of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Country,
    City,
    Asn,
    Isp,
    ConnectionType,
    AnonymousIp,
    /// No variable comes of it.
    Domain,
}

/// A database by the name that MaxMind gives it, which is the name of its file without `.mmdb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edition {
    pub name: &'static str,
    pub family: Family,
}

impl Edition {
    /// `None`: there is none of this name.
    pub fn named(name: &[u8]) -> Option<Edition> {
        EDITIONS.into_iter().find(|edition| edition.name.as_bytes() == name)
    }
}

const EDITIONS: [Edition; 10] = [
    Edition { name: "GeoIP2-Anonymous-IP", family: Family::AnonymousIp },
    Edition { name: "GeoIP2-Country", family: Family::Country },
    Edition { name: "GeoIP2-City", family: Family::City },
    Edition { name: "GeoIP2-Connection-Type", family: Family::ConnectionType },
    Edition { name: "GeoIP2-Domain", family: Family::Domain },
    Edition { name: "GeoIP2-ISP", family: Family::Isp },
    Edition { name: "GeoIP2-ASN", family: Family::Asn },
    Edition { name: "GeoLite2-ASN", family: Family::Asn },
    Edition { name: "GeoLite2-Country", family: Family::Country },
    Edition { name: "GeoLite2-City", family: Family::City },
];
