//! nginx's structures, read from debug information (DWARF 5).

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::error::Error;

use gimli::{
    AttributeValue, DW_AT_bit_size, DW_AT_byte_size, DW_AT_data_bit_offset,
    DW_AT_data_member_location, DW_AT_name, DW_AT_type, EndianSlice, LittleEndian, UnitOffset,
};
use object::{Object, ObjectSection};

/// By the names that bindgen has for them, too: the tag, or of one without a tag its typedef.
pub type Structures = BTreeMap<String, Structure>;

#[derive(Default)]
pub struct Structure {
    pub bytes: u64,
    pub members: Vec<Member>,
}

pub struct Member {
    pub name: String,
    pub place: Place,
}

pub enum Place {
    /// Offset in bytes.
    Bytes(u64),
    /// A bit field: offset and width in bits.
    Bits(u64, u64),
}

type Reader<'a> = EndianSlice<'a, LittleEndian>;
type Entry<'a> = gimli::DebuggingInformationEntry<Reader<'a>>;

/// Those in the debug information of `object`.
pub fn of(object: &[u8]) -> Result<Structures, Box<dyn Error>> {
    let object = object::File::parse(object)?;
    let sections = gimli::DwarfSections::load(|id| {
        let section = object.section_by_name(id.name());
        section.map_or(Ok(Cow::Borrowed(&[][..])), |section| section.uncompressed_data())
    })?;
    let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
    let mut found = Structures::new();
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        read(&dwarf, &dwarf.unit(header)?, &mut found)?;
    }
    if found.is_empty() {
        return Err("The compiler's debug information has no structure of nginx".into());
    }
    Ok(found)
}

fn read(
    dwarf: &gimli::Dwarf<Reader<'_>>,
    unit: &gimli::Unit<Reader<'_>>,
    found: &mut Structures,
) -> Result<(), Box<dyn Error>> {
    let name = |entry: &Entry<'_>| -> Result<Option<String>, gimli::Error> {
        let Some(value) = entry.attr_value(DW_AT_name) else { return Ok(None) };
        Ok(Some(dwarf.attr_string(unit, value)?.to_string_lossy().into_owned()))
    };
    let mut names = HashMap::<UnitOffset, String>::new();
    let mut structures = HashMap::<UnitOffset, Structure>::new();
    // The structures around the entry at hand, and at which depth they stand.
    let mut around = Vec::<(isize, UnitOffset)>::new();
    let mut entries = unit.entries();
    while let Some(entry) = entries.next_dfs()? {
        around.retain(|(depth, _)| *depth < entry.depth());
        match entry.tag() {
            gimli::DW_TAG_structure_type => {
                let bytes = number(entry, DW_AT_byte_size).unwrap_or(0);
                around.push((entry.depth(), entry.offset()));
                structures.insert(entry.offset(), Structure { bytes, members: Vec::new() });
                names.extend(name(entry)?.map(|name| (entry.offset(), name)));
            }
            gimli::DW_TAG_typedef => {
                if let (Some(AttributeValue::UnitRef(to)), Some(name)) =
                    (entry.attr_value(DW_AT_type), name(entry)?)
                {
                    names.entry(to).or_insert(name);
                }
            }
            gimli::DW_TAG_member => {
                let structure = around
                    .last()
                    .filter(|(depth, _)| *depth == entry.depth() - 1)
                    .and_then(|(_, at)| structures.get_mut(at));
                if let (Some(structure), Some(name), Some(place)) =
                    (structure, name(entry)?, place(entry))
                {
                    structure.members.push(Member { name, place });
                }
            }
            _ => {}
        }
    }
    for (at, structure) in structures {
        // Without a size it is declared only.
        if let Some(name) = names.remove(&at).filter(|name| name.starts_with("ngx_"))
            && structure.bytes > 0
        {
            found.insert(name, structure);
        }
    }
    Ok(())
}

fn place(entry: &Entry<'_>) -> Option<Place> {
    match number(entry, DW_AT_bit_size) {
        Some(width) => Some(Place::Bits(number(entry, DW_AT_data_bit_offset)?, width)),
        None => Some(Place::Bytes(number(entry, DW_AT_data_member_location)?)),
    }
}

fn number(entry: &Entry<'_>, attribute: gimli::DwAt) -> Option<u64> {
    entry.attr_value(attribute)?.udata_value()
}
