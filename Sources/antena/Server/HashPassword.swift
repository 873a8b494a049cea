import ArgumentParser
import Gateway
import ServerSettings

struct HashPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash-password",
        abstract: "Print an entry for a channel's \"publishers\" that contains hashes instead of the password.",
        discussion: "The password is read from standard input, up to the end of the line.")

    @Argument(help: "The name that the publisher logs in with.")
    var user: String

    func run() throws {
        let password = try PasswordInput.read()
        do {
            print(try ChannelsFile.publisherEntry(user: user, password: password))
        } catch {
            throw CommandFailure(error.description)
        }
    }
}
