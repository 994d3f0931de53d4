//! Connections: each has limited time to send the head of a request. The body's limits are [`guard`](super::guard)'s.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::time::Duration;
use tokio::net::TcpListener;

/// Time limit for the head of a request. An idle connection ends after it, too; browsers open another.
pub const HEAD: Duration = Duration::from_secs(10);
/// Pause after the system refused a connection, for example because file descriptors ran out.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves connections for as long as the process runs.
pub async fn serve(listener: &TcpListener, router: Router) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Small answers are sent immediately.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD);
            // Errors are the client's: it disconnected, was too slow, or does not speak HTTP.
            let _ = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
        });
    }
}
