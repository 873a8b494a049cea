import Catalogue
import LibraryCore
import LibraryDetails
import MediaFolders

extension LibraryContext {
    /// The details in the names of a file and its folders, until its tags say more.
    func details(of file: FoundFile, in section: LibrarySection) async throws -> ItemDetails {
        let named = NamedDetails(fileName: file.name, in: section)
        var details = named.details
        if let title = named.title {
            details[.title] = .text(title)
        } else {
            details[.title] = .text(try await name(of: file, in: section))
        }
        return details
    }

    /// The name of a record until its file provides a better one. The folder's name is added if another file has the
    /// same name.
    private func name(of file: FoundFile, in section: LibrarySection) async throws -> String {
        let title = FileTitle(fileName: file.name)
        guard title.qualified != title.plain else { return title.plain }
        if title.needsFolder { return title.qualified }
        let isTaken =
            switch section {
            case .titles: try await catalogue.hasTitle(named: title.plain, besidesFile: file.name)
            case .tracks: try await catalogue.hasTrack(named: title.plain, besidesFile: file.name)
            }
        return isTaken ? title.qualified : title.plain
    }
}
