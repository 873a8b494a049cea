import HTTPEndpoints
import Workflows

/// The texts of the archive with a member's data, in one language.
struct MemberExportText: Sendable {
    private let language: SiteLanguage

    init(_ language: SiteLanguage) { self.language = language }

    var fileName: String {
        switch language {
        case .english: "README.txt"
        case .spanish: "LEEME.txt"
        }
    }

    /// - Parameters:
    ///   - username: the name of the member.
    ///   - chapters: what the archive holds.
    ///   - files: the videos in the archive; `nil` for an archive without any.
    func introduction(_ username: String, _ chapters: [ExportChapter], files: [MemberFiles.Entry]?) -> String {
        areas(username, chapters) + (files.map(list) ?? withoutFiles)
    }

    private var withoutFiles: String {
        switch language {
        case .english:
            """
            The files of the videos that you have sent are not in this archive, because they can be many gigabytes; you
            can ask for an archive with them. Their pages play them.

            """
        case .spanish:
            """
            Los archivos de los vídeos que ha enviado no están aquí, porque pueden ocupar muchos gigabytes; puede pedir
            un archivo que los incluya. Se reproducen en sus páginas.

            """
        }
    }

    private func list(_ files: [MemberFiles.Entry]) -> String {
        let heading =
            switch (language, files.isEmpty) {
            case (.english, false): "The files of the videos that you have sent, as they were sent:\n"
            case (.english, true): "You have sent no videos.\n"
            case (.spanish, false): "Los archivos de los vídeos que ha enviado, tal como se enviaron:\n"
            case (.spanish, true): "No ha enviado ningún vídeo.\n"
            }
        return files.reduce(into: heading) { text, file in
            text += "\n\(file.name)\n    \(file.fileName)\(remark(file.outcome).map { ": \($0)" } ?? "")\n"
        }
    }

    private func remark(_ outcome: MemberFiles.Outcome) -> String? {
        switch (outcome, language) {
        case (.whole, _): nil
        case (.incomplete, .english): "could not be read to its end, and is incomplete here"
        case (.incomplete, .spanish): "no se ha podido leer hasta el final, y aquí está incompleto"
        case (.missing, .english): "is not on the server any more, and not in this archive"
        case (.missing, .spanish): "ya no está en el servidor, y falta en este archivo"
        }
    }

    private func areas(_ username: String, _ chapters: [ExportChapter]) -> String {
        let heading =
            switch language {
            case .english: "All that the server knows about \(username). Text editors and browsers open the files.\n\n"
            case .spanish:
                "Todo lo que el servidor sabe de \(username). Los archivos se abren con un editor de texto o un "
                    + "navegador.\n\n"
            }
        return chapters.reduce(into: heading) { text, chapter in text += paragraph(chapter) } + "\n\n"
    }

    /// Width of the column with the names of files.
    private static let nameWidth = 30

    private func paragraph(_ chapter: ExportChapter) -> String {
        let names = chapter.fileNames.joined(separator: ", ")
        let indent = String(repeating: " ", count: Self.nameWidth)
        let gap =
            names.count < Self.nameWidth
            ? String(repeating: " ", count: Self.nameWidth - names.count) : "\n\(indent)"
        return "\(names)\(gap)\(chapter.explanation(language).replacing("\n", with: "\n\(indent)"))\n"
    }
}
