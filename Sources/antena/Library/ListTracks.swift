import ArgumentParser

/// `antena track list`.
struct ListTracks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List or search tracks.")

    @OptionGroup var options: ServerOptions
    @OptionGroup var list: ListOptions

    func run() async throws {
        try await list.run(TrackKind.self, options)
    }
}
