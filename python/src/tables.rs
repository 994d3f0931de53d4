//! The tables of nodes and stages.

use crate::error::raised;
use orogen::node::Node;
use orogen::stage::Stage;
use pyo3::prelude::*;

/// Both tables as JSON, `{"node": […], "stage": […]}`: every kind with its parameters, their documentation, types, defaults and
/// ranges.
#[pyfunction]
pub(crate) fn tables() -> PyResult<String> {
    // The ranges of parameters, in the words of messages.
    let text = |table: &[orogen::node::KindInfo]| {
        let mut rows = serde_json::to_value(table).map_err(raised)?;
        for (row, info) in rows.as_array_mut().into_iter().flatten().zip(table) {
            row["reads_stages"] = info.reads_stages().into();
            let params = row.get_mut("params").and_then(|params| params.as_array_mut()).into_iter().flatten();
            for (param, info) in params.zip(info.params) {
                param["range"] = info.allowed.to_string().into();
                param["expects"] = info.param_type.to_string().into();
            }
        }
        Ok::<_, PyErr>(rows)
    };
    Ok(serde_json::json!({ "node": text(Node::TABLE)?, "stage": text(Stage::TABLE)? }).to_string())
}
