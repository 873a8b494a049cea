import ArgumentParser

/// The photo that a command sets or removes.
struct PhotoFile: ParsableArguments {
    @Argument(help: "A JPEG or PNG file.", completion: .file())
    var file: String?

    @Flag(help: "Remove the photo.")
    var remove = false

    func validate() throws {
        guard remove == (file == nil) else { throw ValidationError("Give either a file or --remove.") }
    }
}
