import ArgumentParser

struct MediaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media", abstract: "Move a library's files to its media store or back, and verify them.",
        subcommands: [MediaStatus.self, MediaMove.self, MediaVerify.self])
}
