import ArgumentParser
import Broadcaster
import Foundation

/// Options that select a profile and override its settings.
struct ProfileOptions: ParsableArguments {
    @Option(help: "The profile's name.")
    var profile = ProfileStore.defaultName

    @Option(help: ArgumentHelp("The server's web address.", valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "The RTSP address, if it is not port 8554 of the server: rtsp://HOST:PORT or rtsps://HOST:PORT, or the whole URL of a stream on another server.",
            valueName: "url"))
    var rtsp: String?

    @Option(help: "The channel to publish to.")
    var channel: String?

    @Option(help: "The quality preset, by its name on the server.")
    var preset: String?

    @Option(help: "tcp or udp.")
    var transport: String?

    @Option(help: "The user name, if the channel requires one.")
    var user: String?

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the password; the environment variable ANTENA_PASSWORD is an alternative.",
            valueName: "file"))
    var passwordFile: String?

    @Option(help: ArgumentHelp("PEM file of the certificate authorities to trust for rtsps.", valueName: "file"))
    var certificates: String?

    /// The settings given on the command line and in the environment, keyed by name.
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

    /// The saved profile, overridden by the given settings.
    ///
    /// - Throws: ``BroadcastError`` if a profile other than the default does not exist.
    func resolved() throws -> BroadcastProfile {
        let store = ProfileStore(environment: ProcessInfo.processInfo.environment)
        let saved = try store.profile(named: profile)
        guard saved != nil || profile == ProfileStore.defaultName else {
            let names = try store.names()
            throw BroadcastError(
                .usage,
                "there is no profile \"\(profile)\"; "
                    + (names.isEmpty
                        ? "nothing is configured yet; run: antena broadcast configure --profile \(profile)"
                        : "there are \(names.joined(separator: ", "))"))
        }
        return try (saved ?? BroadcastProfile()).overridden(by: try given())
    }
}
