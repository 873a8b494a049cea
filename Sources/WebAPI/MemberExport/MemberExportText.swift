import SiteTexts
import Workflows

/// The texts of the file in the archive with a member's data that explains the archive.
struct MemberExportText: SiteTextSection {
    static let section = "export"

    let fileName: String
    private let introduction, withoutFiles, files, noFiles, incomplete, missing: String
    private let chapters: [String: String]

    /// - Parameters:
    ///   - username: the name of the member.
    ///   - chapters: what the archive holds.
    ///   - files: the videos in the archive; `nil` for an archive without any.
    func introduction(_ username: String, _ chapters: [ExportChapter], files: [MemberFiles.Entry]?) -> String {
        areas(username, chapters) + (files.map(list) ?? "\(withoutFiles)\n")
    }

    private func list(_ files: [MemberFiles.Entry]) -> String {
        files.reduce(into: "\(files.isEmpty ? noFiles : self.files)\n") { text, file in
            text += "\n\(file.name)\n    \(file.fileName)\(remark(file.outcome).map { ": \($0)" } ?? "")\n"
        }
    }

    private func remark(_ outcome: MemberFiles.Outcome) -> String? {
        switch outcome {
        case .whole: nil
        case .incomplete: incomplete
        case .missing: missing
        }
    }

    private func areas(_ username: String, _ chapters: [ExportChapter]) -> String {
        chapters.reduce(into: "\(introduction.filled("name", with: username))\n\n") { text, chapter in
            text += paragraph(chapter)
        } + "\n\n"
    }

    /// Width of the column with the names of files.
    private static let nameWidth = 30

    private func paragraph(_ chapter: ExportChapter) -> String {
        let names = chapter.fileNames.joined(separator: ", ")
        let indent = String(repeating: " ", count: Self.nameWidth)
        let gap =
            names.count < Self.nameWidth
            ? String(repeating: " ", count: Self.nameWidth - names.count) : "\n\(indent)"
        let text = chapters[chapter.text] ?? chapter.text
        return "\(names)\(gap)\(text.replacing("\n", with: "\n\(indent)"))\n"
    }
}
