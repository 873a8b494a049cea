import APIClient
import ArgumentParser
import Gateway

struct Encrypt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt",
        abstract: "Turn AES-128 encryption of a running server's titles on or off.",
        discussion: """
            Each title has its own key, at URLs signed by the server. "encrypt" in channels.json applies to titles \
            without a setting of their own.
            """)

    @OptionGroup var options: ServerOptions
    @OptionGroup var output: ResultOutput

    @Flag(exclusivity: .exclusive, help: "The action. (default: --on)")
    var choice: Choice = .on

    @Argument(help: "IDs of titles, or their files in the media folder.")
    var titles: [String]

    enum Choice: String, EnumerableFlag {
        case on
        case off
        /// The setting in channels.json.
        case `default`

        static func help(for value: Choice) -> ArgumentHelp? {
            switch value {
            case .on: "Encrypt the titles."
            case .off: "Do not encrypt the titles, regardless of channels.json."
            case .default: "Use the setting in channels.json."
            }
        }
    }

    func run() async throws {
        let wanted: Bool? =
            switch choice {
            case .on: true
            case .off: false
            case .default: nil
            }
        try await options.withClient { client in
            for title in titles {
                let isEncrypted = try await client.setEncrypted(wanted, ofTitle: try await client.titleID(title))
                output.print(title, isEncrypted ? "encrypted" : "in the clear")
            }
        }
    }
}
