import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import Foundation
import JSONDocument

struct MeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "me",
        abstract: "Manage your own account at a server, and rent titles.",
        discussion: """
            Log in first: antena me log-in USER --server URL. Passwords are read from the terminal or from standard \
            input.
            """,
        subcommands: [
            LogIn.self, LogOut.self, Show.self, Change.self, Email.self, Password.self, Photo.self, Export.self,
            DeleteAccount.self, MeSessionCommand.self, MeTokenCommand.self, MeSecondFactorCommand.self,
            MeRentalCommand.self, MeNotificationsCommand.self, MeCredits.self, MeOffer.self, MeRent.self, MeVote.self,
            MeVideoCommand.self, MeProfile.self, ListCommand<MeActivities>.self, MeBlock.self,
            MeMute.self, ListCommand<MeWarnings>.self,
        ])

    struct LogIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "log-in",
            abstract: "Log in, and start a session for the other commands.",
            discussion: "A second factor's code is asked for after the password, on a line of its own.")

        @Option(help: "The server's URL.")
        var server = ServerOptions.defaultServer

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "Your username or e-mail address.")
        var user: String

        func run() async throws {
            let password = try PasswordInput.read()
            let session = try await SessionOptions.explaining {
                try await ServerClient.with(server: server, access: MemberAccess()) { client in
                    switch try await client.logIn(user, password: password, at: server) {
                    case .session(let session): return session
                    case .codeNeeded(let challenge):
                        let code = try PasswordInput.read(prompt: "Code of the second factor: ")
                        return try await client.logIn(challenge: challenge, code: code, at: server)
                    }
                }
            }
            try await SessionOptions.explaining { try session.write(to: options.path) }
            output.print(session.username, "logged in")
        }
    }

    struct LogOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "log-out", abstract: "Log out, and end the session.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        func run() async throws {
            let session = try await SessionOptions.explaining { try MemberSession.read(options.path) }
            try await options.withClient { try await $0.logOut() }
            MemberSession.remove(options.path)
            output.print(session.username, "logged out")
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show your account.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        func run() async throws {
            let account = try await options.withClient { try await $0.ownAccount() }
            output.print(account, AccountTables.account(account))
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change your personal details.",
            discussion: "An empty text removes a value.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        @Option(help: "Your name.")
        var name: String?

        @Option(help: "Your mobile number.")
        var mobile: String?

        @Option(help: "Your city.")
        var city: String?

        @Option(help: "Your country.")
        var country: String?

        @Option(help: "The language of the site and of mails: en, es, or empty for that of your browser.")
        var language: String?

        private var change: APIObject<ProfileChangeFields> {
            func value(_ text: String) -> String? { text.isEmpty ? nil : text }
            return ProfileChangeFields.request { change in
                [
                    name.map { change.name(value($0)) }, mobile.map { change.mobile(value($0)) },
                    city.map { change.city(value($0)) }, country.map { change.country(value($0)) },
                    language.map { change.language(value($0)) },
                ]
            }
        }

        func validate() throws {
            guard change.json != .object([]) else {
                throw ValidationError("No change given; name a field, such as --city Madrid.")
            }
        }

        func run() async throws {
            let account = try await options.withClient { try await $0.changeOwnAccount(change) }
            output.print(account, AccountTables.account(account))
        }
    }

    struct Email: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "email",
            abstract: "Change your e-mail address.",
            discussion: "A server that sends mail sends a link to the new address first.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The new address.")
        var address: String

        func run() async throws {
            let password = try PasswordInput.read()
            let account = try await options.withClient {
                try await $0.changeOwnAddress(to: address, password: password)
            }
            let isChanged = account.email == address
            output.print(
                account,
                isChanged
                    ? "\(account.username ?? "-"): \(address)"
                    : "\(account.username ?? "-"): follow the link that was sent to \(address)")
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "password",
            abstract: "Change your password; your other sessions end.",
            discussion: "The present password is read first, then the new one, each from a line of its own.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        func run() async throws {
            let current = try PasswordInput.read(prompt: "Present password: ")
            let new = try PasswordInput.read(prompt: "New password: ")
            try await options.withClient { try await $0.changeOwnPassword(from: current, to: new) }
            output.print("password", "changed")
        }
    }

    struct Photo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "photo", abstract: "Set or remove your photo.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        @OptionGroup var photo: PhotoFile

        func run() async throws {
            try await options.withClient { try await $0.setOwnPhoto(toFileAt: photo.file) }
            output.print("photo", photo.remove ? "removed" : "changed")
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Print all data that the server has about you as JSON, or write it to a ZIP archive.")

        @OptionGroup var options: SessionOptions

        @Option(
            help: ArgumentHelp("Write an archive with a file for each area instead of printing.", valueName: "file"))
        var zip: String?

        @Flag(help: "Add your uploaded videos to the archive, in their original form.")
        var files = false

        func validate() throws {
            guard zip != nil || !files else { throw ValidationError("--files needs --zip.") }
        }

        func run() async throws {
            if let zip {
                let byteCount = try await options.withClient {
                    try await $0.exportOwnArchive(to: zip, hasFiles: files)
                }
                return print("\(zip): \(byteCount) bytes")
            }
            try await options.withClient { client in
                try await client.exportOwnData { try FileHandle.standardOutput.write(contentsOf: Data($0)) }
            }
        }
    }

    struct DeleteAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete your account with everything that belongs to it, permanently.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        @Flag(help: "Confirm the deletion.")
        var forGood = false

        func validate() throws {
            guard forGood else {
                throw ValidationError("A deleted account cannot be restored; add --for-good to confirm.")
            }
        }

        func run() async throws {
            let session = try await SessionOptions.explaining { try MemberSession.read(options.path) }
            let password = try PasswordInput.read()
            try await options.withClient { try await $0.deleteOwnAccount(password: password) }
            MemberSession.remove(options.path)
            output.print(session.username, "deleted")
        }
    }
}
