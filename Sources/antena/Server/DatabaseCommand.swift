import ArgumentParser

struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database", abstract: "Check a database, or copy it to another engine.",
        subcommands: [DatabaseCheck.self, DatabaseCopyCommand.self])
}
