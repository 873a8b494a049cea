import ArgumentParser
import Gateway

struct Encrypt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Encrypt titles of a running server with AES-128, or no longer.",
        discussion: """
            Each has a key of its own, behind URLs that the server signs. For titles that nobody has chosen for, \
            "encrypt" in channels.json says it.
            """)

    @OptionGroup var options: ServerOptions

    @Flag(exclusivity: .exclusive, help: "What is to be done; to encrypt them, unless told otherwise.")
    var choice: Choice = .on

    @Argument(help: "Ids of titles, or their files in the media folder.")
    var titles: [String]

    enum Choice: String, EnumerableFlag {
        case on
        case off
        /// What channels.json says.
        case `default`

        static func help(for value: Choice) -> ArgumentHelp? {
            switch value {
            case .on: "Encrypt them."
            case .off: "Have them in the clear, whatever channels.json says."
            case .default: "Leave it to channels.json."
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
                print("\(title): \(isEncrypted ? "encrypted" : "in the clear")")
            }
        }
    }
}
