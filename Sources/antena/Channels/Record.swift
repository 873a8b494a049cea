import APIClient
import ArgumentParser
import Gateway

struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Start or stop the recording of a running server's channel.",
        discussion: "The recording becomes a title of the video club.")

    enum Action: String, ExpressibleByArgument, CaseIterable {
        case start, stop
    }

    @OptionGroup var options: ServerOptions
    @OptionGroup var output: ResultOutput

    @Argument(help: "The channel's name.")
    var channel: String

    @Argument(help: "start or stop.")
    var action: Action

    func run() async throws {
        let status = try await options.withClient { client in
            try await client.setRecording(action == .start, ofChannel: channel)
        }
        output.print(status, RecordingReport(status: status).text)
    }
}
