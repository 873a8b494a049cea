import ArgumentParser
import Gateway

/// The child process in which a publisher's VP8, MP3 and the like are decoded; started by the server, not by people.
struct LiveWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "live-worker", shouldDisplay: false)

    func run() throws {
        throw ExitCode(LiveWorkerProgram.run())
    }
}
