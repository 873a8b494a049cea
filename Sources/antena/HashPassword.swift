import ArgumentParser
import Foundation
import Gateway

struct HashPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash-password",
        abstract: "Print an entry for a channel's \"publishers\" that contains hashes instead of the password.",
        discussion: "The password is read from standard input, up to the end of the line.")

    @Argument(help: "The name that the publisher logs in with.")
    var user: String

    /// Reads the password; a terminal does not echo it.
    private static func readPassword() -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() }
        return getpass("Password: ").map { String(cString: $0) }
    }

    func run() throws {
        guard let password = Self.readPassword(), !password.isEmpty else {
            throw CommandFailure("no password on standard input")
        }
        do {
            print(try ChannelsFile.publisherEntry(user: user, password: password))
        } catch {
            throw CommandFailure(error.description)
        }
    }
}
