import JSONDocument
import ServerSettings

/// Checks that `channels.json` is valid and that the slates that it names can be read.
struct ChannelsFileCheck: DoctorCheck {
    let name = "channels"
    /// The path of the file.
    let file: String
    let content: Content

    /// The content of the file.
    enum Content: Sendable {
        case valid(channelCount: Int, missingSlates: [String])
        /// The mistakes, a line for each.
        case notValid(String)
    }

    var finding: DoctorFinding {
        switch content {
        case .notValid(let mistakes):
            .problem(
                mistakes, remedy: "correct \(file), or name another with --channels; antena serve --check tests it")
        case .valid(_, let slates) where !slates.isEmpty:
            .warning(
                "\(slates.joined(separator: ", ")): slate missing or unreadable; viewers of its channels wait instead",
                remedy: "put the slate there, or change slate in \(file)")
        case .valid(let count, _): .ok("\(file) is valid and has \(count) channel\(count == 1 ? "" : "s")")
        }
    }

    /// - Parameter channelsFile: the file as loaded, or its mistakes.
    init(_ configuration: ServerConfiguration, _ channelsFile: Result<ChannelsFile, JSONFileError>) {
        file = configuration.channelsFile
        switch channelsFile {
        case .success(let channelsFile):
            let summary = ServeSummary(configuration: configuration, channelsFile: channelsFile)
            content = .valid(
                channelCount: channelsFile.channels.count, missingSlates: summary.missingSlates.map(\.path))
        case .failure(let error): content = .notValid(error.description)
        }
    }

    init(file: String, content: Content) {
        self.file = file
        self.content = content
    }
}
