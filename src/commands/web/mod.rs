//! `engine web`: a board in the browser, with the engine of this machine behind it.
//!
//! [`server`] speaks HTTP and decides who may ask, [`tables`] keeps a table for each page. The questions and their
//! answers are those of the crate `web`.

mod server;
mod tables;

use std::io;
use std::process::{Command, Stdio};

use clap::Args;
use rand::RngExt;
use tokio::net::TcpListener;
use tokio::runtime;

use super::{Done, STACK, print, processors};
use server::Server;
use shell::interrupt;
use shell::progress::note;
use tables::Tables;
use web::Effort;

/// The port unless another is chosen. A browser keeps games by address, so that it must not change.
const PORT: u16 = 4960;
/// Questions that may be answered at the same time.
const MAX_QUESTIONS: usize = 16;
/// Nodes for each position of a review.
const REVIEW_NODES: u64 = 50_000;
/// Most positions that one answer of the laboratory looks at.
const LABORATORY_POSITIONS: u64 = 10_000_000;

const WEB_HELP: &str = "\
The page is for this machine only, and for whoever has its address: that has a secret word in it, which changes
with every start. Games stay in the browser. Ctrl-C ends the server.";

/// Arguments of `web`.
#[derive(Debug, Args)]
#[command(after_help = WEB_HELP)]
pub struct WebArgs {
    /// The port to listen on; 0: any that is free
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Search threads [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl WebArgs {
    /// Serves the page until Ctrl-C.
    pub fn run(self) -> Done {
        interrupt::watch();
        let threads = self.threads.map_or_else(processors, usize::from);
        let tables =
            Tables::new(Effort { threads, nodes: REVIEW_NODES, positions: LABORATORY_POSITIONS });
        let runtime = runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .thread_stack_size(STACK)
            .max_blocking_threads(MAX_QUESTIONS)
            .build()?;
        runtime.block_on(self.serve(tables))
    }

    async fn serve(self, tables: Tables) -> Done {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).await.map_err(|error| {
            format!("port {}: {error}; choose another with --port, or any with --port 0", self.port)
        })?;
        let port = listener.local_addr()?.port();
        let server = Server::new(port, new_word(), tables);
        print(&format!("The board is at {}", server.address()))?;
        if self.open
            && let Err(error) = open(&server.address())
        {
            note(&format!("the browser cannot be opened ({error}); open the address yourself"));
        }
        Ok(server.run(listener).await?)
    }
}

/// A secret word.
fn new_word() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}

/// Opens an address in the browser of the system.
fn open(address: &str) -> io::Result<()> {
    let opener = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    let mut command = Command::new(opener);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}
