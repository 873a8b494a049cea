import APIClient
import ArgumentParser
import OfflineDownloads

/// Offline copies to which the same is done, named by their IDs or by their rentals.
protocol NamedCopies: NamedItems where Source == OfflineOptions {
    var copies: DownloadCommand.Copies { get }

    func apply(to copy: StoredCopy, _ library: OfflineLibrary) async throws
}

extension NamedCopies {
    var ids: [String] { copies.ids }

    func id(of name: String, _ library: OfflineLibrary) async throws -> String { try await library.copy(name).id }

    func apply(to id: String, _ library: OfflineLibrary) async throws {
        try await apply(to: try await library.copy(id), library)
    }
}

extension CopySummary: TabulatedItem {
    static func table(_ items: [CopySummary], nothing: String) -> String {
        var table = TextTable("ID", "TITLE", "RENDITION", "SIZE", "STATE", "ENDS")
        for copy in items {
            let state = copy.isPaused ? "\(copy.state.rawValue), paused" : copy.state.rawValue
            let percent = copy.state == .partial ? " \(copy.percent) %" : ""
            table.add(
                copy.id, copy.name, copy.rendition, DownloadDisplay.size(copy.byteCount), state + percent,
                copy.endsAt ?? "-")
        }
        return table.isEmpty ? nothing : table.text
    }
}
