//! The server: the page's files, and questions for a table.
//!
//! It listens on the loopback address, and answers only requests that name it as their host, so that no page of another
//! site can reach it by a name that leads here (DNS rebinding); that come from no other origin; and whose path begins
//! with the secret word of this start.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;
use tokio::{task, time};

use super::tables::Tables;
use shell::interrupt;
use web::page;
use web::request::LONGEST;

/// Pause between two looks for Ctrl-C.
const PAUSE: Duration = Duration::from_millis(50);
/// Time that answers under way have after Ctrl-C.
const GRACE: Duration = Duration::from_secs(2);

/// What every answer says: nothing is loaded from elsewhere, framed, guessed or kept.
const HEADERS: [(header::HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::SERVER, "ajedrecista"),
];

/// The server of one start.
pub struct Server {
    port: u16,
    word: String,
    tables: Tables,
}

impl Server {
    /// A server on `port` for whoever knows `word`.
    pub fn new(port: u16, word: String, tables: Tables) -> Server {
        Server { port, word, tables }
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.word)
    }

    /// Serves until Ctrl-C.
    pub async fn run(self, listener: TcpListener) -> std::io::Result<()> {
        let server = Arc::new(self);
        let router = Router::new().fallback(answer).with_state(Arc::clone(&server));
        let interrupted = || async {
            while !interrupt::is_set() {
                time::sleep(PAUSE).await;
            }
        };
        let stop = async move {
            interrupted().await;
            server.tables.end();
        };
        let serving = axum::serve(listener, router).with_graceful_shutdown(stop);
        tokio::select! {
            served = serving.into_future() => served,
            // A browser may keep its connection.
            () = async { interrupted().await; time::sleep(GRACE).await } => Ok(()),
        }
    }

    /// True if the request comes from the page of this server.
    fn is_own(&self, method: &Method, headers: &HeaderMap) -> bool {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{}", self.port));
        let is_host = |host: &str| hosts.iter().any(|own| own == host);
        let is_at_home = text(header::HOST).is_some_and(is_host);
        let origin = text(header::ORIGIN);
        let is_from_home = |origin: &str| origin.strip_prefix("http://").is_some_and(is_host);
        // A question without an origin comes from no page.
        is_at_home && origin.map_or(method == Method::GET, is_from_home)
    }
}

/// The answer to any request.
async fn answer(State(server): State<Arc<Server>>, request: Request) -> Response {
    let mut response = match reply(&server, request).await {
        Ok(response) => response,
        Err((status, text)) => (status, text).into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
    response
}

type Refusal = (StatusCode, &'static str);

async fn reply(server: &Arc<Server>, request: Request) -> Result<Response, Refusal> {
    let (head, body) = request.into_parts();
    if !server.is_own(&head.method, &head.headers) {
        return Err((StatusCode::FORBIDDEN, "This server answers its own page only.\n"));
    }
    let path = head.uri.path().strip_prefix('/').and_then(|path| path.strip_prefix(&server.word));
    let Some(path) = path.and_then(|path| path.strip_prefix('/')) else {
        let advice = "Open the whole address that engine web has shown, with its secret word.\n";
        return Err((StatusCode::FORBIDDEN, advice));
    };
    let missing = (StatusCode::NOT_FOUND, "There is no such page.\n");
    if head.method == Method::GET {
        let file = page::served(path).ok_or(missing)?;
        return Ok(([(header::CONTENT_TYPE, file.kind)], file.text).into_response());
    }
    let (action, number) = path.split_once('/').ok_or(missing)?;
    let number: u64 = number.parse().map_err(|_| missing)?;
    match (head.method, action) {
        (Method::POST, "ask") => ask(server, number, body).await,
        (Method::POST, "stop") => {
            server.tables.stop(number);
            Ok(StatusCode::NO_CONTENT.into_response())
        }
        _ => Err(missing),
    }
}

/// A table's answer, found on another thread.
async fn ask(server: &Arc<Server>, number: u64, body: Body) -> Result<Response, Refusal> {
    let too_long = (StatusCode::PAYLOAD_TOO_LARGE, "This question is too long.\n");
    let question = to_bytes(body, LONGEST).await.map_err(|_| too_long)?;
    let no_text = (StatusCode::BAD_REQUEST, "A question is text in UTF-8.\n");
    let question = String::from_utf8(question.to_vec()).map_err(|_| no_text)?;
    let server = Arc::clone(server);
    let answered = task::spawn_blocking(move || server.tables.answer(number, &question)).await;
    let failed = (StatusCode::INTERNAL_SERVER_ERROR, "The engine has failed; ask again.\n");
    let answer = answered.map_err(|_| failed)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], answer).into_response())
}
