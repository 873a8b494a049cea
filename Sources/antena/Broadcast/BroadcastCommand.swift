import ArgumentParser
import Broadcaster
import Foundation

struct BroadcastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broadcast",
        abstract: "Push a camera, a screen, a file or a test card to a channel.",
        discussion: """
            Configure once, then start:

              antena broadcast configure
              antena broadcast start

            The exit status tells scripts what went wrong; docs/antena-broadcast.md lists the codes.
            """,
        subcommands: [
            BroadcastStart.self, BroadcastConfigure.self, BroadcastShow.self, BroadcastSet.self,
            BroadcastSources.self, BroadcastAbout.self,
        ])

    /// Runs `body`; a ``BroadcastError`` ends the program with the error's exit status.
    static func exiting(asJSON: Bool = false, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as BroadcastError {
            let line = asJSON ? StatusJSON.line(error) : "Error: \(error.description)"
            LineOutput(STDERR_FILENO).write(line + "\n")
            throw ExitCode(error.code.exitCode)
        }
    }
}
