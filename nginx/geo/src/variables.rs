//! The variables that databases fill, as in ingress-nginx.

use maxminddb::PathElement::{Index, Key};

use crate::database::Path;
use crate::edition::Family::{self, AnonymousIp, Asn, City, ConnectionType, Country, Isp};

/// A variable, and where its value stands; of several places that of the first database that is configured.
pub struct Variable {
    pub name: &'static str,
    pub places: &'static [Place],
}

/// Where a value stands in the databases of a family.
pub struct Place {
    pub family: Family,
    pub path: Path,
    /// In the place of a value that is not there.
    pub default: Option<&'static str>,
}

/// Where the code of a country stands.
pub fn places_of_country() -> &'static [Place] {
    const { &[at(Country, COUNTRY_CODE), at(City, COUNTRY_CODE)] }
}

/// Where the number of an autonomous system stands.
pub fn places_of_asn() -> &'static [Place] {
    const { &[at(Asn, AS_NUMBER), at(Isp, AS_NUMBER)] }
}

const COUNTRY_CODE: Path = &[Key("country"), Key("iso_code")];
const AS_NUMBER: Path = &[Key("autonomous_system_number")];

const fn at(family: Family, path: Path) -> Place {
    Place { family, path, default: None }
}

const fn or_zero(family: Family, path: Path) -> Place {
    Place { family, path, default: Some("0") }
}

/// `variable!("name": place, …)`
macro_rules! variable {
    ($name:literal: $($place:expr),+) => {
        Variable { name: $name, places: &[$($place),+] }
    };
}

pub static VARIABLES: [Variable; 35] = [
    variable!("geoip2_country_code": at(Country, COUNTRY_CODE)),
    variable!("geoip2_country_name": at(Country, &[Key("country"), Key("names"), Key("en")])),
    variable!("geoip2_country_geoname_id": at(Country, &[Key("country"), Key("geoname_id")])),
    variable!("geoip2_continent_code": at(Country, &[Key("continent"), Key("code")])),
    variable!("geoip2_continent_name": at(Country, &[Key("continent"), Key("names"), Key("en")])),
    variable!("geoip2_continent_geoname_id": at(Country, &[Key("continent"), Key("geoname_id")])),
    variable!("geoip2_city_country_code": at(City, COUNTRY_CODE)),
    variable!("geoip2_city_country_name": at(City, &[Key("country"), Key("names"), Key("en")])),
    variable!("geoip2_city_country_geoname_id": at(City, &[Key("country"), Key("geoname_id")])),
    variable!("geoip2_city": at(City, &[Key("city"), Key("names"), Key("en")])),
    variable!("geoip2_city_geoname_id": at(City, &[Key("city"), Key("geoname_id")])),
    variable!("geoip2_postal_code": at(City, &[Key("postal"), Key("code")])),
    variable!("geoip2_dma_code": at(City, &[Key("location"), Key("metro_code")])),
    variable!("geoip2_latitude": at(City, &[Key("location"), Key("latitude")])),
    variable!("geoip2_longitude": at(City, &[Key("location"), Key("longitude")])),
    variable!("geoip2_time_zone": at(City, &[Key("location"), Key("time_zone")])),
    variable!("geoip2_region_code": at(City, &[Key("subdivisions"), Index(0), Key("iso_code")])),
    variable!("geoip2_region_name": at(City, &[Key("subdivisions"), Index(0), Key("names"), Key("en")])),
    variable!("geoip2_region_geoname_id": at(City, &[Key("subdivisions"), Index(0), Key("geoname_id")])),
    variable!("geoip2_subregion_code": at(City, &[Key("subdivisions"), Index(1), Key("iso_code")])),
    variable!("geoip2_subregion_name": at(City, &[Key("subdivisions"), Index(1), Key("names"), Key("en")])),
    variable!("geoip2_subregion_geoname_id": at(City, &[Key("subdivisions"), Index(1), Key("geoname_id")])),
    variable!("geoip2_city_continent_code": at(City, &[Key("continent"), Key("code")])),
    variable!("geoip2_city_continent_name": at(City, &[Key("continent"), Key("names"), Key("en")])),
    variable!("geoip2_asn": at(Asn, AS_NUMBER), or_zero(Isp, AS_NUMBER)),
    variable!("geoip2_org": at(Asn, &[Key("autonomous_system_organization")])),
    variable!("geoip2_isp": at(Isp, &[Key("isp")])),
    variable!("geoip2_isp_org": at(Isp, &[Key("organization")])),
    variable!("geoip2_connection_type": at(ConnectionType, &[Key("connection_type")])),
    variable!("geoip2_is_anon": at(AnonymousIp, &[Key("is_anonymous")])),
    variable!("geoip2_is_anonymous": or_zero(AnonymousIp, &[Key("is_anonymous")])),
    variable!("geoip2_is_anonymous_vpn": or_zero(AnonymousIp, &[Key("is_anonymous_vpn")])),
    variable!("geoip2_is_hosting_provider": or_zero(AnonymousIp, &[Key("is_hosting_provider")])),
    variable!("geoip2_is_public_proxy": or_zero(AnonymousIp, &[Key("is_public_proxy")])),
    variable!("geoip2_is_tor_exit_node": or_zero(AnonymousIp, &[Key("is_tor_exit_node")])),
];
