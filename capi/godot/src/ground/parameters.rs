//! Parameters by name.

use super::Ground;
use orogen::{SetError, Setting};

impl Ground {
    /// Sets a parameter, `node.parameter`. On the CPU there is no kernel to compile: choices and dimensions change like
    /// numbers.
    pub(crate) fn set(&mut self, path: &str, value: Setting) -> Result<(), String> {
        let mut pipeline = self.pipeline.clone();
        let changed = match pipeline.set(path, value.clone()) {
            Err(SetError::Shape { node, param, .. }) => match (pipeline.node.get_mut(&node), pipeline.stage.get_mut(&node)) {
                (Some(found), _) => found.set(&param, value),
                (None, Some(found)) => found.set(&param, value),
                (None, None) => return Err(format!("'{path}' names nothing")),
            },
            other => other,
        };
        changed.map_err(|error| error.to_string())?;
        *self = Ground::over(self.engine.clone(), pipeline)?;
        Ok(())
    }

    /// A parameter's value; `None` for one that is not given.
    pub(crate) fn get(&self, path: &str) -> Result<Option<Setting>, String> {
        self.pipeline.get(path).map_err(|error| error.to_string())
    }

    /// The names of all parameters.
    pub(crate) fn parameters(&self) -> Vec<String> {
        let nodes = self.pipeline.node.iter().map(|(name, node)| (name, node.info().params));
        let stages = self.pipeline.stage.iter().map(|(name, stage)| (name, stage.info().params));
        nodes.chain(stages).flat_map(|(name, params)| params.iter().map(move |param| format!("{name}.{}", param.name))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::HILLS;
    use super::*;

    #[test]
    fn numbers_and_shapes_change_by_name() {
        let mut ground = Ground::from_text(HILLS).expect("a recipe");
        let before = ground.height([31.0, 7.0]).expect("a height");
        ground.set("basis.wavelength", 50.into()).expect("a number");
        assert_eq!(ground.get("basis.wavelength"), Ok(Some(Setting::Number(50.0))));
        let after = ground.height([31.0, 7.0]).expect("a height");
        assert_ne!(after, before);
        ground.set("raw.accumulate", "billow".into()).expect("a choice, which shapes the kernel");
        assert_ne!(ground.height([31.0, 7.0]), Ok(after));
        assert!(ground.parameters().contains(&"raw.octaves".to_owned()));
        assert!(ground.parameters().iter().all(|name| ground.get(name).is_ok()));
    }

    #[test]
    fn a_change_that_is_refused_changes_nothing() {
        let mut ground = Ground::from_text(HILLS).expect("a recipe");
        let before = ground.height([31.0, 7.0]);
        let mut refused = |path: &str, value: Setting| ground.set(path, value).expect_err("a refusal");
        assert!(refused("basis.wavelength", (-1.0).into()).contains("-1 is not allowed"));
        assert!(refused("basis.wavelength", "wide".into()).contains("wide"));
        assert!(refused("basis.colour", 1.into()).contains("has no parameter 'colour'"));
        assert!(refused("nothing.at", 1.into()).contains("names nothing"));
        assert!(refused("nothing", 1.into()).contains("names nothing"));
        // Each by itself is a value; together they mean nothing.
        assert!(!refused("raw.of", "height".into()).is_empty());
        assert_eq!(ground.height([31.0, 7.0]), before);
        assert!(ground.get("basis.colour").is_err());
    }
}
