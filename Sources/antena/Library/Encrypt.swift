import APIClient
import ArgumentParser
import Gateway

struct Encrypt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt",
        abstract: "Choose how titles of a running server are encrypted.",
        discussion: """
            Each title has its own key, at URLs signed by the server. "encryption" in channels.json applies to titles \
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
        case cbcs
        case off
        /// The setting in channels.json.
        case `default`

        static func help(for value: Choice) -> ArgumentHelp? {
            switch value {
            case .on: "Encrypt whole segments with AES-128, for HLS."
            case .cbcs: "Encrypt samples with cbcs, for HLS and for DASH with ClearKey."
            case .off: "Do not encrypt the titles, regardless of channels.json."
            case .default: "Use the setting in channels.json."
            }
        }
    }

    private static func text(_ encryption: String) -> String {
        switch encryption {
        case "none": "in the clear"
        case "aes-128": "encrypted"
        default: "encrypted (\(encryption))"
        }
    }

    func run() async throws {
        let wanted: String? =
            switch choice {
            case .on: "aes-128"
            case .cbcs: "cbcs"
            case .off: "none"
            case .default: nil
            }
        try await options.withClient { client in
            for title in titles {
                let encryption = try await client.setEncryption(wanted, ofTitle: try await client.titleID(title))
                output.print(title, Self.text(encryption))
            }
        }
    }
}
