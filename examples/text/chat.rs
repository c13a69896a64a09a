//! The format of a chat: what a model expects around each message. Files of Hugging Face have a template for it, in the
//! language of Jinja, of which `minijinja` renders a large part.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use chrono::Local;
use minijinja::{Environment, Error, ErrorKind, context};
use minijinja_contrib::pycompat::unknown_method_callback;
use regex::{Captures, Regex};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A message of a chat.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Message {
    /// Whose message it is: `user`, `assistant` or `system`.
    pub role: String,
    /// Its text.
    pub content: String,
}

/// The template of a model.
pub struct Template {
    environment: Environment<'static>,
    /// Its variables: the tokens with a name, such as `eos_token`.
    pub tokens: BTreeMap<String, String>,
}

/// The name of the template in its environment. It has no file extension of a format with
/// characters to escape.
const NAME: &str = "chat_template";

/// The most instructions of a template: those of files take a hundred for a message, and a template of a stranger would
/// run forever.
const FUEL: u64 = 1_000_000;

impl Template {
    /// The template that a folder has, in `chat_template.jinja` or `tokenizer_config.json`; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or if the template has errors.
    pub fn open(folder: &Path) -> Result<Option<Self>, String> {
        let (file, own) =
            (folder.join("tokenizer_config.json"), folder.join("chat_template.jinja"));
        let config = if file.exists() { super::json(&file)? } else { Value::Null };
        let text = match own.exists() {
            true => {
                let text = fs::read_to_string(&own);
                Some(text.map_err(|error| format!("{}: {error}", own.display()))?)
            }
            false => in_config(&config["chat_template"])
                .map_err(|error| format!("{}: {error}", file.display()))?,
        };
        let Some(text) = text else { return Ok(None) };
        let tokens =
            ["bos_token", "eos_token", "pad_token", "unk_token"].iter().filter_map(|&name| {
                let token = config[name].as_str().or(config[name]["content"].as_str())?;
                Some((name.to_owned(), token.to_owned()))
            });
        Self::new(text, tokens.collect()).map(Some)
    }

    /// A template and its variables.
    ///
    /// # Errors
    ///
    /// If it has errors.
    pub fn new(text: String, tokens: BTreeMap<String, String>) -> Result<Self, String> {
        let mut environment = Environment::new();
        // The settings of `transformers`.
        environment.set_trim_blocks(true);
        environment.set_lstrip_blocks(true);
        environment.set_unknown_method_callback(unknown_method_callback);
        environment.set_fuel(Some(FUEL));
        environment.add_function("raise_exception", |message: String| -> Result<String, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, message))
        });
        environment.add_function("strftime_now", |format: &str| -> Result<String, Error> {
            let mut text = String::new();
            write!(text, "{}", Local::now().format(format))
                .map_err(|_| Error::new(ErrorKind::InvalidOperation, "not a format of a date"))?;
            Ok(text)
        });
        environment
            .add_template_owned(NAME, without_training(&text))
            .map_err(|error| refused(&error))?;
        Ok(Self { environment, tokens })
    }

    /// The text of a chat, at whose end the model answers.
    ///
    /// # Errors
    ///
    /// If the template refuses the messages.
    pub fn render(&self, messages: &[Message]) -> Result<String, String> {
        let template = self.environment.get_template(NAME).map_err(|error| refused(&error))?;
        let chat =
            context! { messages, add_generation_prompt => true, tools => (), documents => () };
        let all = context! { ..chat, ..minijinja::Value::from_serialize(&self.tokens) };
        template.render(all).map_err(|error| refused(&error))
    }
}

/// A template with `{% generation %}` as a condition that holds: it marks what training counts, and is no statement of
/// Jinja.
fn without_training(template: &str) -> String {
    let tag =
        Regex::new(r"\{%([-+]?)\s*(end)?generation\s*([-+]?)%\}").expect("a regular expression");
    let condition = |tag: &Captures<'_>| {
        let statement = if tag.get(2).is_some() { "endif" } else { "if true" };
        format!("{{%{} {statement} {}%}}", &tag[1], &tag[3])
    };
    tag.replace_all(template, condition).into_owned()
}

fn refused(error: &Error) -> String {
    format!("the template of the chat: {error:#}")
}

/// The template in `tokenizer_config.json`: one, or the one with the name `default`.
fn in_config(config: &Value) -> Result<Option<String>, String> {
    let named =
        || config.as_array()?.iter().find(|one| one["name"] == "default")?["template"].as_str();
    match config.as_str().or_else(named) {
        None if !config.is_null() => {
            Err("`chat_template` is neither a template nor a list with one named `default`".into())
        }
        template => Ok(template.map(str::to_owned)),
    }
}
