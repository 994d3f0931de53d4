//! The environment of object storage: for any value of a variable, the command reports the wrong one, and never panics.

use crate::support::{Scratch, command, expect, path, text};
use orogen::bake::shard::{Bucket, Store};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};

/// A server that has nothing.
fn empty_server() -> SocketAddr {
    let server = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = server.local_addr().expect("an address");
    std::thread::spawn(move || {
        for mut connection in server.incoming().flatten() {
            std::thread::spawn(move || {
                let mut request = [0; 1 << 14];
                let _ = connection.read(&mut request);
                let _ = connection.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            });
        }
    });
    address
}

/// The environment for opening a world: its URL, and valid variables.
type Base = (&'static str, Vec<(&'static str, String)>);

fn bases(server: SocketAddr, token: &str) -> Vec<Base> {
    let here = format!("http://{server}");
    let with = |list: &[(&'static str, &str)]| list.iter().map(|(name, value)| (*name, (*value).to_owned())).collect::<Vec<_>>();
    let aws = [("AWS_ENDPOINT", &*here), ("AWS_ALLOW_HTTP", "true")];
    let azure = [("AZURE_STORAGE_ACCOUNT_NAME", "account"), ("AZURE_STORAGE_ENDPOINT", &*here), ("AZURE_ALLOW_HTTP", "true")];
    let google = [("GOOGLE_BASE_URL", &*here), ("GOOGLE_ALLOW_HTTP", "true")];
    let key = [("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b"), ("AWS_REGION", "us-east-1")];
    let client = [("AZURE_CLIENT_ID", "id"), ("AZURE_CLIENT_SECRET", "s"), ("AZURE_TENANT_ID", "t"), ("AZURE_AUTHORITY_HOST", &*here)];
    let pod = [("AWS_CONTAINER_CREDENTIALS_FULL_URI", &*here), ("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", token)];
    vec![
        ("s3://bucket/w", with(&[&aws[..], &key].concat())),
        ("s3://bucket/w", with(&[&aws[..], &[("AWS_METADATA_ENDPOINT", &*here)]].concat())),
        ("s3://bucket/w", with(&[&aws[..], &pod].concat())),
        ("az://container/w", with(&[&azure[..], &[("AZURE_STORAGE_ACCOUNT_KEY", "a2V5")]].concat())),
        ("az://container/w", with(&[&azure[..], &client].concat())),
        ("az://container/w", with(&[&azure[..], &[("AZURE_MSI_ENDPOINT", &*here)]].concat())),
        ("gs://bucket/w", with(&[&google[..], &[("GOOGLE_BEARER_TOKEN", "token")]].concat())),
    ]
}

/// The variables of each cloud, after `AWS_` and so on.
const OF_ALL: &[&str] = &[
    "ALLOW_HTTP",
    "ALLOW_INVALID_CERTIFICATES",
    "CONNECT_TIMEOUT",
    "DEFAULT_CONTENT_TYPE",
    "HTTP1_ONLY",
    "HTTP2_KEEP_ALIVE_INTERVAL",
    "HTTP2_KEEP_ALIVE_TIMEOUT",
    "HTTP2_KEEP_ALIVE_WHILE_IDLE",
    "HTTP2_MAX_FRAME_SIZE",
    "HTTP2_ONLY",
    "POOL_IDLE_TIMEOUT",
    "POOL_MAX_IDLE_PER_HOST",
    "PROXY_URL",
    "PROXY_CA_CERTIFICATE",
    "PROXY_EXCLUDES",
    "RANDOMIZE_ADDRESSES",
    "READ_TIMEOUT",
    "TIMEOUT",
    "USER_AGENT",
];
const OF_AWS: &[&str] = &[
    "ACCESS_KEY_ID",
    "SECRET_ACCESS_KEY",
    "REGION",
    "DEFAULT_REGION",
    "BUCKET",
    "BUCKET_NAME",
    "ENDPOINT",
    "ENDPOINT_URL",
    "ENDPOINT_URL_S3",
    "ENDPOINT_URL_STS",
    "SESSION_TOKEN",
    "TOKEN",
    "IMDSV1_FALLBACK",
    "VIRTUAL_HOSTED_STYLE_REQUEST",
    "S3_EXPRESS",
    "METADATA_ENDPOINT",
    "UNSIGNED_PAYLOAD",
    "CHECKSUM_ALGORITHM",
    "CONTAINER_CREDENTIALS_RELATIVE_URI",
    "CONTAINER_CREDENTIALS_FULL_URI",
    "CONTAINER_AUTHORIZATION_TOKEN_FILE",
    "WEB_IDENTITY_TOKEN_FILE",
    "ROLE_ARN",
    "ROLE_SESSION_NAME",
    "SKIP_SIGNATURE",
    "COPY_IF_NOT_EXISTS",
    "CONDITIONAL_PUT",
    "DISABLE_TAGGING",
    "DISABLE_BULK_DELETE",
    "REQUEST_PAYER",
    "SERVER_SIDE_ENCRYPTION",
    "SSE_KMS_KEY_ID",
    "SSE_BUCKET_KEY_ENABLED",
    "SSE_CUSTOMER_KEY_BASE64",
];
const OF_AZURE: &[&str] = &[
    "STORAGE_ACCOUNT_NAME",
    "STORAGE_ACCOUNT_KEY",
    "STORAGE_ACCESS_KEY",
    "STORAGE_MASTER_KEY",
    "CLIENT_ID",
    "CLIENT_SECRET",
    "TENANT_ID",
    "AUTHORITY_ID",
    "AUTHORITY_HOST",
    "STORAGE_SAS_KEY",
    "STORAGE_SAS_TOKEN",
    "STORAGE_TOKEN",
    "STORAGE_USE_EMULATOR",
    "USE_FABRIC_ENDPOINT",
    "STORAGE_ENDPOINT",
    "ENDPOINT",
    "MSI_ENDPOINT",
    "IDENTITY_ENDPOINT",
    "OBJECT_ID",
    "MSI_RESOURCE_ID",
    "FEDERATED_TOKEN_FILE",
    "USE_AZURE_CLI",
    "SKIP_SIGNATURE",
    "CONTAINER_NAME",
    "DISABLE_TAGGING",
    "FABRIC_TOKEN_SERVICE_URL",
    "FABRIC_WORKLOAD_HOST",
    "FABRIC_SESSION_TOKEN",
    "FABRIC_CLUSTER_IDENTIFIER",
    "CREDENTIAL_TYPE",
    "STORAGE_ENCRYPTION_KEY",
];
const OF_GOOGLE: &[&str] = &[
    "SERVICE_ACCOUNT",
    "SERVICE_ACCOUNT_PATH",
    "SERVICE_ACCOUNT_KEY",
    "BUCKET",
    "BUCKET_NAME",
    "BASE_URL",
    "APPLICATION_CREDENTIALS",
    "BEARER_TOKEN",
    "SKIP_SIGNATURE",
];

/// Typical values, and values that never work.
const VALUES: &[&str] = &[
    "",
    " ",
    "localhost:9000",
    "127.0.0.1:9000",
    "minio",
    "http://",
    "http://127.0.0.1:99999",
    "http://127.0.0.1:0",
    "http://127.0.0.1:",
    "http://a b",
    "http://[::1",
    "http:/x",
    "https://user:hunter2@host",
    "https://host?a=b",
    "https://1.2.3.4.5",
    "ftp://host",
    "ü",
    "a\nb",
    "a\u{7f}",
    "xn--a",
    "a%zz",
    "..",
    "-",
];

fn variables(base: &[(&'static str, String)], more: Option<(&str, &str)>) -> Vec<(OsString, OsString)> {
    let kept = base.iter().filter(|(name, _)| more.is_none_or(|(other, _)| *name != other));
    let kept = kept.map(|(name, value)| ((*name).into(), value.into()));
    kept.chain(more.map(|(name, value)| (name.into(), value.into()))).collect()
}

#[test]
fn whatever_a_variable_holds_is_used_or_refused_by_its_name() {
    let scratch = Scratch::new("settings");
    let token = scratch.file("token", "token");
    let (mut refused, mut used) = (0, 0);
    for (url, base) in bases(empty_server(), path(&token)) {
        let bucket = Bucket::with(url, variables(&base, None)).unwrap_or_else(|error| panic!("{base:?}: {error}"));
        let _ = bucket.read("w");
        let (cloud, own) = match &url[..2] {
            "s3" => ("AWS", OF_AWS),
            "az" => ("AZURE", OF_AZURE),
            _ => ("GOOGLE", OF_GOOGLE),
        };
        let others = ["AZURITE_BLOB_STORAGE_URL", "GCE_METADATA_HOST", "GCE_METADATA_ROOT", "GCE_METADATA_IP"];
        let others = others.iter().filter(|name| name.starts_with(&cloud[..2]) || (cloud == "GOOGLE" && name.starts_with("GCE")));
        let names = OF_ALL.iter().chain(own).map(|name| format!("{cloud}_{name}")).chain(others.map(|name| (*name).to_owned()));
        for name in names {
            for value in VALUES {
                match Bucket::with(url, variables(&base, Some((&name, value)))) {
                    // A request may well fail; it may not panic.
                    Ok(bucket) => drop((bucket.read("w"), used += 1)),
                    Err(error) => {
                        let said = error.to_string();
                        assert!(said.contains(&name), "{name}={value:?}: {said}");
                        assert!(!said.contains("hunter2") && !said.contains('\n'), "{name}={value:?}: {said}");
                        refused += 1;
                    }
                }
            }
            // No variable may be empty, and none hold a line's end, but keys and certificates.
            assert!(Bucket::with(url, variables(&base, Some((&name, "")))).is_err(), "{name} is empty");
        }
    }
    println!("{refused} refused, {used} used");
    assert!(refused > 1000 && used > 100, "{refused} refused, {used} used");
}

#[test]
fn secrets_are_not_shown_and_names_of_files_are() {
    let said = |url: &str, name: &str, value: &str| Bucket::with(url, [(name.into(), value.into())]).expect_err("refused").to_string();
    for (url, name) in [
        ("s3://b/w", "AWS_SECRET_ACCESS_KEY"),
        ("s3://b/w", "AWS_SESSION_TOKEN"),
        ("s3://b/w", "AWS_SSE_CUSTOMER_KEY_BASE64"),
        ("az://c/w", "AZURE_STORAGE_ACCOUNT_KEY"),
        ("az://c/w", "AZURE_CLIENT_SECRET"),
        ("az://c/w", "AZURE_STORAGE_SAS_TOKEN"),
        ("gs://b/w", "GOOGLE_BEARER_TOKEN"),
    ] {
        let said = said(url, name, "hunter2\n");
        assert!(said.contains(name) && !said.contains("hunter2"), "{said}");
    }
    let service = said("gs://b/w", "GOOGLE_SERVICE_ACCOUNT_KEY", "\"hunter2\"");
    assert!(service.contains("GOOGLE_SERVICE_ACCOUNT_KEY") && !service.contains("hunter2"), "{service}");
    assert!(said("gs://b/w", "GOOGLE_APPLICATION_CREDENTIALS", "/no/such/file").contains("/no/such/file"));
    assert!(said("s3://b/w", "AWS_ENDPOINT", "http://minio:9000").contains("AWS_ALLOW_HTTP=true"));
    // Those of another cloud are not looked at.
    let bucket = Bucket::with("gs://b/w", [("AWS_ENDPOINT".into(), "nonsense".into()), ("GOOGLE_SKIP_SIGNATURE".into(), "true".into())]);
    assert!(bucket.is_ok(), "{bucket:?}");
    #[cfg(unix)]
    {
        let value = std::os::unix::ffi::OsStringExt::from_vec(vec![0xff]);
        let said = Bucket::with("s3://b/w", [("AWS_REGION".into(), value)]).expect_err("refused").to_string();
        assert!(said.contains("AWS_REGION is not UTF-8"), "{said}");
    }
    for url in ["s3://a%20b/w", "s3://[::1]/w", "abfss://a%20b@account.dfs.core.windows.net/w"] {
        assert!(Bucket::with(url, []).expect_err("refused").to_string().contains("bucket or container"), "{url}");
    }
}

#[test]
fn the_command_names_the_variable() {
    for endpoint in ["localhost:9000", "127.0.0.1:9000", "minio", "", "http://", "http://127.0.0.1:99999", "http://a b"] {
        let mut status = command(&["status", "s3://bucket/w"]);
        let keys = [("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b"), ("AWS_REGION", "us-east-1"), ("AWS_ALLOW_HTTP", "true")];
        let output = status.envs(keys).env("AWS_ENDPOINT", endpoint).output().expect("runs");
        expect(&output, 2, &["s3://bucket/w: AWS_ENDPOINT", "allowed: https://HOST[:PORT]"]);
        assert!(text(&output.stderr).contains(endpoint));
    }
}
