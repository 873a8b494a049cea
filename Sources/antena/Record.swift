import APIClient
import ArgumentParser
import Gateway

struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start or stop the recording of a running server's channel.",
        discussion: "The recording becomes a title of the video club.")

    enum Action: String, ExpressibleByArgument, CaseIterable {
        case start, stop
    }

    @OptionGroup var options: ServerOptions

    @Argument(help: "The channel's name.")
    var channel: String

    @Argument(help: "start or stop.")
    var action: Action

    func run() async throws {
        let report = try await options.withClient { client in
            RecordingReport(status: try await client.setRecording(action == .start, ofChannel: channel))
        }
        print(report.text)
    }
}
