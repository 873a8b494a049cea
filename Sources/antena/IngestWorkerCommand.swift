import ArgumentParser
import VODLibrary

/// The child process in which strangers' files are opened; started by the server, not by people.
struct IngestWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ingest-worker", shouldDisplay: false)

    func run() throws {
        throw ExitCode(IngestWorker.run())
    }
}
