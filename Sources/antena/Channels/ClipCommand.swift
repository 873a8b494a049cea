import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import Foundation
import JSONDocument

struct ClipCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clip",
        abstract: "Create a title from part of a channel's time shift.",
        discussion: "antena clip canalA --from 90s --to 30s --title Goal")

    @OptionGroup var options: ServerOptions

    @Option(
        help: ArgumentHelp(
            "The start: a date like 2026-11-21T17:20:00Z, or how long ago, such as 90s, 5m or 1h.", valueName: "time"))
    var from: ClipTime

    @Option(help: ArgumentHelp("The end; see --from. (default: now)", valueName: "time"))
    var to: ClipTime?

    @Option(help: "The new title's name.")
    var title: String?

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Argument(help: "The channel's name.")
    var channel: String

    func run() async throws {
        let now = Date()
        let clip = try await options.withClient {
            try await $0.makeClip(
                ofChannel: channel, from: from.date(now).formatted(.iso8601),
                to: (to?.date(now) ?? now).formatted(.iso8601), title: title)
        }
        print(json ? clip.json.rendered : "\(clip.id ?? "-"): \(clip.title ?? "-")")
    }
}

/// A time as somebody types it: a date, or how long ago.
struct ClipTime: ExpressibleByArgument {
    private enum Value {
        case date(Date)
        case ago(Double)
    }

    private let value: Value

    /// Limit of how long ago: longer than any time-shift window.
    private static let maximumAge = 30.0 * 86_400

    init?(argument: String) {
        if let date = try? Date(argument, strategy: .iso8601) {
            value = .date(date)
            return
        }
        let factors: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
        guard let unit = argument.last, let factor = factors[unit], let count = Double(argument.dropLast()),
            count.isFinite, count >= 0, count * factor <= Self.maximumAge
        else { return nil }
        value = .ago(count * factor)
    }

    func date(_ now: Date) -> Date {
        switch value {
        case .date(let date): date
        case .ago(let seconds): now.addingTimeInterval(-seconds)
        }
    }
}
