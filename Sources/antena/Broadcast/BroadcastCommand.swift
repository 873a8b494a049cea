import ArgumentParser
import Broadcaster
import Foundation
import Gateway

struct BroadcastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broadcast",
        abstract: "Push a camera, a screen, a file or a test card to a channel.",
        discussion: """
            Configure once, then start:

              antena broadcast configure
              antena broadcast start

            The status the program ends with tells scripts what went wrong; docs/antena-broadcast.md lists it.
            """,
        subcommands: [
            BroadcastStart.self, BroadcastConfigure.self, BroadcastShow.self, BroadcastSet.self,
            BroadcastSources.self, BroadcastAbout.self,
        ])

    /// Ends the program with the error's own status.
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

/// Which profile is meant, and what differs from it this time.
struct ProfileOptions: ParsableArguments {
    @Option(help: "The profile's name.")
    var profile = ProfileStore.defaultName

    @Option(help: ArgumentHelp("The server's web address.", valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "Where RTSP is spoken, if not at port 8554 of the server: rtsp://HOST:PORT or rtsps://HOST:PORT, or the whole address of a stream on another server.",
            valueName: "url"))
    var rtsp: String?

    @Option(help: "The channel to push to.")
    var channel: String?

    @Option(help: "The quality, by the name that the server has for it.")
    var preset: String?

    @Option(help: "tcp or udp.")
    var transport: String?

    @Option(help: "The user name, where the channel wants one.")
    var user: String?

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the password; ANTENA_PASSWORD in the environment does as well.",
            valueName: "file"))
    var passwordFile: String?

    @Option(help: ArgumentHelp("PEM file of the authorities to trust with rtsps.", valueName: "file"))
    var certificates: String?

    /// What was given, by the settings' names.
    func given() throws -> [String: String] {
        var given: [String: String] = [:]
        given["server"] = server
        given["rtsp"] = rtsp
        given["channel"] = channel
        given["preset"] = preset
        given["transport"] = transport
        given["user"] = user
        given["certificates"] = certificates
        given["password"] =
            try passwordFile.map(PasswordFile.firstLine(of:)) ?? ProcessInfo.processInfo.environment["ANTENA_PASSWORD"]
        return given
    }

    /// The profile with what was given; an unknown one is empty.
    func resolved() throws -> BroadcastProfile {
        let store = ProfileStore(environment: ProcessInfo.processInfo.environment)
        let saved = try store.profile(named: profile)
        guard saved != nil || profile == ProfileStore.defaultName else {
            let names = try store.names()
            throw BroadcastError(
                .usage,
                "there is no profile \"\(profile)\"; "
                    + (names.isEmpty
                        ? "nothing is configured yet: antena broadcast configure --profile \(profile)"
                        : "there are \(names.joined(separator: ", "))"))
        }
        return try (saved ?? BroadcastProfile()).overridden(by: try given())
    }
}
