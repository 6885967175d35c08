//! Parameters of directives: `NAME=VALUE`.

use wick_metrics::Bucket;
use wick_native::conf::Conf;

/// Buckets of a histogram.
const MAX_BUCKETS: usize = 60;

/// Labels that all series have.
const COMMON: [&str; 3] = ["controller_class", "controller_namespace", "controller_pod"];

/// All of a directive. Errors of its functions are the word that is wrong.
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// # Errors
    /// A word without `=`.
    pub fn read(conf: Conf) -> Result<Parameters, String> {
        let mut words = Vec::new();
        for word in conf.words().skip(1) {
            let text = String::from_utf8_lossy(word).into_owned();
            let (name, value) = text.split_once('=').ok_or_else(|| text.clone())?;
            words.push((name.to_owned(), value.to_owned()));
        }
        Ok(Parameters(words))
    }

    /// # Errors
    /// The name: there is none.
    pub fn of(&self, name: &str) -> Result<&str, String> {
        let value = self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        value.ok_or_else(|| name.to_owned())
    }

    /// # Errors
    /// The name: it is no number.
    pub fn number(&self, name: &str) -> Result<usize, String> {
        self.of(name)?.parse().map_err(|_| name.to_owned())
    }

    /// # Errors
    /// The name: it is neither `on` nor `off`.
    pub fn switch(&self, name: &str) -> Result<bool, String> {
        match self.of(name)? {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err(name.to_owned()),
        }
    }

    /// Bounds between commas; `None`: there are none.
    ///
    /// # Errors
    /// The name: they are no numbers, or too many.
    pub fn buckets(&self, name: &str) -> Result<Option<Vec<Bucket>>, String> {
        let Ok(list) = self.of(name) else { return Ok(None) };
        buckets(list).map(Some).ok_or_else(|| name.to_owned())
    }

    /// # Errors
    /// One that is not there.
    pub fn common(&self) -> Result<Vec<(&'static str, String)>, String> {
        COMMON.iter().map(|name| Ok((*name, self.of(name)?.to_owned()))).collect()
    }

    /// Tells apart what is counted.
    pub fn text(&self) -> String {
        format!("{:?}", self.0)
    }
}

fn buckets(list: &str) -> Option<Vec<Bucket>> {
    let texts = list.split(',').filter(|text| !text.is_empty());
    let buckets: Vec<_> = texts
        .map(|text| {
            let bound: f64 = text.parse().ok()?;
            (bound.is_finite() && bound >= 0.0).then(|| Bucket { text: text.into(), bound })
        })
        .collect::<Option<_>>()?;
    (buckets.len() <= MAX_BUCKETS).then_some(buckets)
}
