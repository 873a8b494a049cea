import ArgumentParser
import Dispatch
import Foundation
import Gateway
import VODLibrary

@main
enum Program {
    /// Processes that the server starts and people do not, by their first argument.
    ///
    /// They run before anything starts a second thread: Landlock confines the thread that calls it and those that it
    /// starts, and an asynchronous `main` has threads of Swift's runtime beside it. A worker that finds another thread
    /// refuses to work.
    private static let workers: [String: @Sendable () -> Int32] = [
        // Opens strangers' files.
        "ingest-worker": { IngestWorker.run() },
        // Decodes a publisher's VP8, MP3 and the like.
        "live-worker": { LiveWorkerProgram.run() },
    ]

    static func main() {
        if let worker = CommandLine.arguments.dropFirst().first.flatMap({ workers[$0] }) { exit(worker()) }
        // Owned by the process, which ends with it.
        Task {
            await Antena.main()
            exit(0)
        }
        dispatchMain()
    }
}
