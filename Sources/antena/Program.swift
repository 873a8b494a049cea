import ArgumentParser
import Dispatch
import Foundation
import Gateway
import LiveWorkers
import MediaWorker

@main
enum Program {
    /// Programs that the server starts and users do not, keyed by their first argument.
    ///
    /// They run before anything starts a second thread: Landlock confines the calling thread and its children, and an
    /// asynchronous `main` also has threads of Swift's runtime. A worker that finds another thread refuses to run.
    private static let workers: [String: @Sendable () -> Int32] = [
        // Opens untrusted files.
        "ingest-worker": { IngestWorker.run() },
        // Decodes a publisher's VP8, MP3 and other codecs.
        "live-worker": { LiveWorkerProgram.run() },
        // Draws texts that strangers have written, with libraries in C.
        DocumentWorker.argument: { DocumentWorker.run() },
    ]

    static func main() {
        if let worker = CommandLine.arguments.dropFirst().first.flatMap({ workers[$0] }) { exit(worker()) }
        // The process owns the task and ends with it.
        Task {
            await Antena.main()
            exit(0)
        }
        dispatchMain()
    }
}
