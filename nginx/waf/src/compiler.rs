//! Makes sets of rules. Files are parsed once: their rules are shared by all sets that have them.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::rc::Rc;

use crate::engine::Engine;
use crate::rules::{Fault, Rules};
use crate::source::{Part, Source};
use crate::wants::Wants;

/// A set that requests can be inspected with.
pub struct Compiled {
    pub(crate) rules: Rules,
    pub wants: Wants,
    /// How many rules and markers it has.
    pub count: usize,
}

/// libmodsecurity's parser has variables of the whole process: one thread at a time may have a compiler that works.
pub struct Compiler {
    engine: &'static Engine,
    files: HashMap<String, File>,
}

struct File {
    identity: Identity,
    rules: Rc<Rules>,
    wants: Wants,
}

/// Changes when the file does.
type Identity = [i64; 5];

impl Compiler {
    pub fn new(engine: &'static Engine) -> Compiler {
        Compiler { engine, files: HashMap::new() }
    }

    /// # Errors: in libmodsecurity's words.
    pub fn compile(&mut self, source: &Source) -> Result<Compiled, Fault> {
        let mut set =
            Compiled { rules: Rules::new(self.engine)?, wants: Wants::default(), count: 0 };
        for (nth, part) in source.0.iter().enumerate() {
            let added = self.add(&mut set, part);
            added.map_err(|fault| Fault { part: Some(nth), ..fault })?;
        }
        Ok(set)
    }

    fn add(&mut self, set: &mut Compiled, part: &Part) -> Result<(), Fault> {
        let wants = match part {
            Part::Text(text) => {
                set.count += set.rules.add(text)?;
                Wants::of(text)
            }
            Part::File(path) => {
                let (rules, wants) = self.file(path)?;
                set.count += set.rules.merge(&rules)?;
                wants
            }
        };
        set.wants = std::mem::take(&mut set.wants).and(wants);
        Ok(())
    }

    fn file(&mut self, path: &str) -> Result<(Rc<Rules>, Wants), Fault> {
        let cannot = |error: std::io::Error| Fault::new(format!("Cannot read {path}: {error}"));
        let about = fs::metadata(path).map_err(cannot)?;
        let identity = [
            about.dev() as i64,
            about.ino() as i64,
            about.size() as i64,
            about.mtime(),
            about.mtime_nsec(),
        ];
        if let Some(known) = self.files.get(path).filter(|file| file.identity == identity) {
            return Ok((known.rules.clone(), known.wants.clone()));
        }
        let wants = Wants::of_file(Path::new(path));
        let mut rules = Rules::new(self.engine)?;
        rules.add_file(path)?;
        let rules = Rc::new(rules);
        self.files
            .insert(path.to_owned(), File { identity, rules: rules.clone(), wants: wants.clone() });
        Ok((rules, wants))
    }
}
