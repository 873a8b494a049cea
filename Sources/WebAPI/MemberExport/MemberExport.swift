import Accounts
import Foundation
import HTTPEndpoints
import JSONDocument
import MediaCore

/// All that the server knows about a member, by area.
struct MemberExport: Sendable {
    let member: ExportedMember
    private let chapters: [ExportChapter]

    /// - Throws: `Refusal` for somebody who has not logged in; `SQLError`.
    init(of caller: Caller, _ accounts: Accounts, _ sources: ExportSource) async throws {
        member = ExportedMember(
            account: try await accounts.account(of: caller), caller: caller, madeAt: accounts.now)
        chapters = try await sources(member)
    }

    /// All of it as one document.
    var document: JSONText {
        .object(
            chapters.flatMap(\.areas).compactMap { area in
                switch area {
                case .both(let name, let content): (name: name, value: content)
                case .file: nil
                case .bytes(let name, _, let bytes):
                    (name: name, value: .optional(bytes.map { Data($0).base64EncodedString() }))
                }
            })
    }

    /// The text that says what is in the archive.
    ///
    /// - Parameters:
    ///   - text: the texts in the language of the member.
    ///   - files: the videos in it; `nil` for an archive without any.
    func introduction(_ text: MemberExportText, files: [MemberFiles.Entry]?) -> ArchiveFile {
        ArchiveFile(name: text.fileName) {
            Array(text.introduction(member.account.username, chapters, files: files).utf8)
        }
    }

    /// The files of the archive with what is known, each of which is made when its turn comes.
    var files: [ArchiveFile] {
        chapters.flatMap(\.areas).compactMap { area in
            switch area {
            case .both(let name, let content), .file(let name, let content):
                ArchiveFile(name: "\(name).json") { Array("\(content.rendered)\n".utf8) }
            case .bytes(_, let fileName, let bytes): bytes.map { bytes in ArchiveFile(name: fileName) { bytes } }
            }
        }
    }
}

/// Everything that the domains of a server know about a member.
package typealias ExportSource = @Sendable (ExportedMember) async throws -> [ExportChapter]
