import APIClient
import ArgumentParser
import Foundation
import JSONDocument
import OfflineDownloads

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Register, list and remove the devices on which a member keeps offline copies.",
        subcommands: [Add.self, ListCommand<List>.self, Remove.self])

    /// The member whose devices they are.
    struct MemberOptions: ParsableArguments {
        @Option(help: "The server's URL.")
        var server = ServerOptions.defaultServer

        @Option(
            help: ArgumentHelp(
                "A file with an API token of the member; ANTENA_MEMBER_TOKEN holds the token itself.",
                valueName: "file"),
            completion: .file())
        var memberTokenFile: String?

        /// - Throws: ``CommandFailure`` if there is no token.
        func token() throws -> String {
            if let memberTokenFile {
                guard let text = try? String(contentsOfFile: memberTokenFile, encoding: .utf8) else {
                    throw CommandFailure("\(memberTokenFile) cannot be read.")
                }
                return text.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            if let text = ProcessInfo.processInfo.environment["ANTENA_MEMBER_TOKEN"], !text.isEmpty { return text }
            return try PasswordInput.read(prompt: "API token of the member: ")
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Register this machine as a member's device.",
            discussion: """
                The member's token is used once and not kept: the device gets a credential and a key pair of its own.
                """)

        @OptionGroup var member: MemberOptions
        @OptionGroup var offline: OfflineOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "Its name in the list of devices.")
        var name: String

        func run() async throws {
            let token = try member.token()
            let device = try await offline.withLibrary {
                try await $0.addDevice(name, server: member.server, token: token)
            }
            output.print(device.id, "registered")
        }
    }

    struct List: ListedItems {
        typealias Source = OfflineOptions

        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the devices of a member.")
        static let nothing = "no devices"

        @OptionGroup var member: MemberOptions

        func items(_ library: OfflineLibrary) async throws -> [RegisteredDevice] {
            try await library.devices(server: member.server, token: try member.token()).map(RegisteredDevice.init)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove devices of a member; their downloads end at once.")

        @OptionGroup var member: MemberOptions
        @OptionGroup var offline: OfflineOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "IDs of devices.")
        var ids: [String]

        func run() async throws {
            let token = try member.token()
            try await offline.withLibrary { library in
                for id in ids {
                    try await library.removeDevice(id, server: member.server, token: token)
                    output.print(id, "removed")
                }
            }
        }
    }

    /// A device in the list of its member.
    struct RegisteredDevice: TabulatedItem {
        let value: JSONNode

        var json: JSONText { JSONText(value) }

        static func table(_ items: [RegisteredDevice], nothing: String) -> String {
            var table = TextTable("ID", "NAME", "REGISTERED", "LAST USED")
            for device in items.map(\.value) {
                table.add(
                    device.text("id"), device.text("name"), device.text("createdAt"), device.text("lastUsedAt"))
            }
            return table.isEmpty ? nothing : table.text
        }
    }
}
