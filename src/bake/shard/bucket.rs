//! Object storage: S3, Google Cloud Storage, Azure Blob Storage and compatible services, through the crate `object_store`. The
//! crate retries requests that fail for a while. A conditional put creates an object completely or not at all, so no unfinished
//! objects remain.

use super::settings;
use super::store::Store;
use crate::bake::object::Object;
use object_store::path::Path as Key;
use object_store::{Error as Cloud, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};
use std::ffi::OsString;
use std::io::{Error, ErrorKind, Result};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::runtime::{Handle, Runtime};
use tokio::task::JoinSet;

/// Most concurrent requests.
const AT_ONCE: usize = 16;

/// A folder in object storage.
pub struct Bucket {
    store: Arc<dyn ObjectStore>,
    base: Key,
    url: String,
    /// `None` only during the drop.
    runtime: Option<Runtime>,
}

impl Drop for Bucket {
    fn drop(&mut self) {
        // Dropping a runtime waits for its threads, which is not allowed inside a task of another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl std::fmt::Debug for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bucket").field("url", &self.url).finish_non_exhaustive()
    }
}

/// Converts an error of the cloud to an I/O error.
fn failed(error: Cloud) -> Error {
    let kind = match &error {
        Cloud::NotFound { .. } => ErrorKind::NotFound,
        Cloud::PermissionDenied { .. } | Cloud::Unauthenticated { .. } => ErrorKind::PermissionDenied,
        Cloud::AlreadyExists { .. } | Cloud::Precondition { .. } => ErrorKind::AlreadyExists,
        _ => ErrorKind::Other,
    };
    Error::new(kind, error)
}

impl Bucket {
    /// The place of a URL: `s3://bucket/folder`, `gs://…`, `az://…`, or `https://…` of one of them. Sends no request.
    ///
    /// Credentials and endpoints come from each cloud's usual variables: `AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT`,
    /// `GOOGLE_APPLICATION_CREDENTIALS`, `AZURE_STORAGE_ACCOUNT_NAME` and so on. HTTPS uses rustls with the process's default
    /// provider. If none is installed, this call installs ring.
    ///
    /// # Errors
    /// Returns an error in these cases.
    ///
    /// - The URL is invalid.
    /// - A variable is not UTF-8, is empty, or has a value that the client cannot use. The message names the variable, its value
    ///   unless that is secret, and the allowed values.
    /// - Credentials cannot be read, or the system cannot start a thread.
    pub fn open(url: &str) -> Result<Self> {
        Bucket::with(url, std::env::vars_os())
    }

    /// As [`open`](Self::open), with these variables in place of the environment's. The client itself reads the addresses of
    /// Azurite and of Google's metadata server from the environment, so here they are only checked.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn with(url: &str, variables: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Self> {
        let refused = |error: &dyn std::fmt::Display| {
            Error::new(ErrorKind::InvalidInput, format!("{error}; allowed: s3://BUCKET/FOLDER, gs://BUCKET/FOLDER, az://CONTAINER/FOLDER"))
        };
        let parsed = url::Url::parse(url).map_err(|error| refused(&error))?;
        // Fails if the process has a provider already, which then stays.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let variables = settings::checked(&parsed, variables)?;
        let built = object_store::parse_url_opts(&parsed, variables.iter().cloned());
        let (store, base) = built.map_err(|error| settings::culprit(&parsed, &variables, &error).unwrap_or_else(|| refused(&error)))?;
        Bucket::on(store.into(), base, url)
    }

    /// A place in the caller's store; `url` is used in messages.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub fn on(store: Arc<dyn ObjectStore>, base: Key, url: &str) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Bucket { store, base, url: url.trim_end_matches('/').to_owned(), runtime: Some(runtime) })
    }

    /// Waits for a request. A task of another runtime may call it: a runtime must not be run inside another, so the wait uses a
    /// thread of its own.
    fn wait<T: Send>(&self, request: impl Future<Output = T> + Send) -> T {
        let runtime = self.runtime.as_ref().expect("invariant: there until it is dropped");
        match Handle::try_current() {
            Err(_) => runtime.block_on(request),
            Ok(_) => std::thread::scope(|scope| {
                scope.spawn(|| runtime.block_on(request)).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }),
        }
    }

    fn key(&self, name: &str) -> Key {
        name.split('/').filter(|part| !part.is_empty()).fold(self.base.clone(), Key::join)
    }

    /// Creates an object unless it exists; whether it was created.
    fn put(&self, Object { name, bytes }: &Object) -> impl Future<Output = Result<bool>> + Send + use<> {
        let (store, key, payload) = (Arc::clone(&self.store), self.key(name), PutPayload::from(bytes.clone()));
        async move {
            match store.put_opts(&key, payload, PutOptions::from(PutMode::Create)).await {
                Ok(_) => Ok(true),
                Err(Cloud::AlreadyExists { .. } | Cloud::Precondition { .. }) => Ok(false),
                Err(error) => Err(failed(error)),
            }
        }
    }
}

impl Store for Bucket {
    fn path(&self) -> PathBuf {
        PathBuf::from(&self.url)
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let read = async {
            match self.store.get(&self.key(name)).await {
                Ok(found) => found.bytes().await.map(|bytes| Some(bytes.to_vec())),
                Err(Cloud::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        };
        self.wait(read).map_err(failed)
    }

    fn size(&self, name: &str) -> Result<Option<u64>> {
        match self.wait(self.store.head(&self.key(name))) {
            Ok(found) => Ok(Some(found.size)),
            Err(Cloud::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    fn names(&self, folder: &str) -> Result<Vec<String>> {
        let found = self.wait(self.store.list_with_delimiter(Some(&self.key(folder)))).map_err(failed)?;
        let folders = found.common_prefixes.iter().filter_map(|key| key.filename().map(str::to_owned));
        let mut names: Vec<String> =
            found.objects.iter().filter_map(|is| is.location.filename().map(str::to_owned)).chain(folders).collect();
        names.sort_unstable();
        Ok(names)
    }

    fn make(&self, objects: &[Object]) -> Result<Vec<bool>> {
        self.wait(async {
            let mut made = vec![false; objects.len()];
            let mut running = JoinSet::new();
            for (i, object) in objects.iter().enumerate() {
                if running.len() == AT_ONCE {
                    ended(&mut running, &mut made).await?;
                }
                let put = self.put(object);
                running.spawn(async move { put.await.map(|is_new| (i, is_new)) });
            }
            while !running.is_empty() {
                ended(&mut running, &mut made).await?;
            }
            Ok(made)
        })
    }

    fn probe(&self) -> Result<()> {
        let object = Object { name: format!("probe-{}", super::record::attempt()), bytes: b"conditional puts".to_vec() };
        let twice = [self.wait(self.put(&object))?, self.wait(self.put(&object))?];
        self.remove(&object.name)?;
        match twice {
            [true, false] => Ok(()),
            _ => Err(Error::new(
                ErrorKind::Unsupported,
                "conditional puts are ignored here, so that writers would overwrite each other; allowed: a store that honours If-None-Match",
            )),
        }
    }

    fn remove(&self, name: &str) -> Result<()> {
        match self.wait(self.store.delete(&self.key(name))) {
            Err(Cloud::NotFound { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    fn tidy(&self, _: &str) -> Result<()> {
        Ok(())
    }
}

/// Waits for one of the puts.
async fn ended(running: &mut JoinSet<Result<(usize, bool)>>, made: &mut [bool]) -> Result<()> {
    let ended = running.join_next().await.expect("invariant: some are running");
    let (i, is_new) = ended.map_err(Error::other)??;
    made[i] = is_new;
    Ok(())
}
