import ArgumentParser
import Foundation
import Gateway
import Logging
import ServerSettings

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the media library and the live channels.",
        discussion: """
            Each flag has an environment variable: ANTENA_HTTP, ANTENA_RTSP, ANTENA_WOWZA_PORT and so on. \
            The flag takes precedence.
            """)

    @OptionGroup var options: ServeOptions

    @Flag(help: "Check the configuration, print the resulting settings, and exit.")
    var check = false

    func run() async throws {
        do {
            let configuration = try ServerConfiguration(
                flags: options.flags, environment: ProcessInfo.processInfo.environment)
            ServerLog.start(configuration)
            let server = try AntenaServer(configuration: configuration, logger: Logger(label: "antena"))
            if check { print(server.summary) } else { try await server.run() }
        } catch let error as any CustomStringConvertible & Error {
            throw CommandFailure(error.description)
        }
    }
}
