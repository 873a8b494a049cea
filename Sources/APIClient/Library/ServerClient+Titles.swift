package import APIContract
package import APIDeclarations
import JSONDocument
import MediaCore
import NIOHTTP1

/// The titles of the library, and what people read about them.
extension ServerClient {
    /// The titles of a list.
    ///
    /// - Parameters:
    ///   - wanted: which of them.
    ///   - limit: maximum number.
    package func titles(
        _ wanted: ListRequest = ListRequest(), limit: Int
    ) async throws -> [APIObject<ListedTitleFields>] {
        try await items(TitleAPI.listTitles, query: wanted.query, limit: limit)
    }

    /// All titles: films, trailers, recordings and videos of members.
    func titlesOfAllKinds() async throws -> [APIObject<TitleFields>] {
        try await items(TitleAPI.listTitles, query: [("kind", "all")]).map(\.title)
    }

    /// A title.
    func title(_ id: String) async throws -> APIObject<TitleFields> { try await send(TitleAPI.getTitle, id) }

    /// The ID of a title, given its ID or its file name.
    ///
    /// - Throws: ``ServerClientError`` if there is no such title.
    package func titleID(_ name: String) async throws -> String {
        do {
            return try await title(name).id.cell
        } catch let error as ServerClientError where error.status == 404 {
            let titles = try await titlesOfAllKinds()
            // The name may be typed in a different Unicode normalization form than on disk; String compares
            // canonically.
            guard let title = titles.first(where: { $0.file == name }) else {
                let names = titles.flatMap { [$0.id, $0.file].compactMap(\.self) }
                let hint = NearestName.suggestion(for: name, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
                throw ServerClientError("There is no title \"\(name)\"; \"antena status\" lists ids and files.\(hint)")
            }
            return title.id.cell
        }
    }

    /// Deletes a title and its file.
    package func deleteTitle(id: String) async throws { try await send(TitleAPI.deleteTitle, id) }

    /// Makes the frame at a time the poster of a title, and returns the title.
    ///
    /// - Parameters:
    ///   - id: the title's ID.
    ///   - seconds: seconds from the start; `nil` lets the server choose.
    package func setPoster(ofTitle id: String, at seconds: Double?) async throws -> APIObject<TitleFields> {
        let title = Self.path(of: TitleAPI.getTitle, [id])
        guard let seconds else {
            return try await change(TitleAPI.resetTitlePoster, id, of: title, timeout: Self.imageTimeout)
        }
        return try await change(
            TitleAPI.setTitlePoster, id, body: PosterTimeFields.request { [$0.at(seconds)] }, of: title,
            timeout: Self.imageTimeout)
    }

    /// Makes a JPEG or PNG file the poster of a title, and returns the title.
    package func setPoster(ofTitle id: String, toFileAt path: String) async throws -> APIObject<TitleFields> {
        let title = try await change(Self.path(of: TitleAPI.getTitle, [id])) {
            try await putImage(Self.path(of: TitleAPI.setTitlePoster, [id]), fileAt: path, ifMatch: $0)
        }
        return try value(title)
    }

    /// Sets how a title is encrypted.
    ///
    /// - Parameters:
    ///   - encryption: `none`, `aes-128` or `cbcs`; `nil` applies the server's default.
    ///   - id: the title's ID.
    /// - Returns: how the title is encrypted now.
    package func setEncryption(_ encryption: String?, ofTitle id: String) async throws -> String {
        let choice = EncryptionChangeFields.request { [$0.encryption(encryption)] }
        return try await change(TitleAPI.setTitleEncryption, id, body: choice).encryption.cell
    }

    /// Timeout of ingest requests; a file from another disk is copied before the server responds.
    private static let ingestTimeout = Duration.seconds(24 * 3_600)

    /// Makes the server ingest a file on its machine, and returns the title, track or job.
    func importFile(path: String) async throws -> JSONNode {
        try await send(
            .POST, Self.path(of: TitleAPI.ingestTitle, []), .object([("path", .string(path))]),
            timeout: Self.ingestTimeout)
    }

    // MARK: Details

    /// The details of a title.
    package func details(ofTitle id: String) async throws -> APIObject<TitleDetailsFields> {
        try await send(TitleAPI.getTitleDetails, id)
    }

    /// Changes the details of a title, and returns them. A change of somebody else at the same time is kept, as far as
    /// it is about other fields.
    ///
    /// - Parameters:
    ///   - id: the ID of the title.
    ///   - changes: the new values; `null` takes a choice back.
    package func changeDetails(
        ofTitle id: String, _ changes: APIObject<TitleDetailsChangeFields>
    ) async throws -> APIObject<TitleDetailsFields> {
        try await change(TitleAPI.changeTitleDetails, id, body: changes)
    }

    /// The genres of the titles that can be played.
    package func genres() async throws -> [String] {
        try await send(CollectionAPI.listGenres).items.compactMap { $0.name }
    }

    // MARK: Ladders

    /// A title's ladder and the progress of its encoding.
    func ladder(ofTitle id: String) async throws -> APIObject<LadderFields> {
        try await send(TitleAPI.getTitleLadder, id)
    }

    /// Queues the encoding of a title's ladder and returns the ladder's state.
    package func transcode(titleID: String, presets: [String]) async throws -> APIObject<LadderFields> {
        try await send(TitleAPI.makeTitleLadder, titleID, body: NewLadderFields.request { [$0.presets(presets)] })
    }

    /// Cancels the encoding of a title's ladder, or deletes a complete ladder, and returns the ladder's state.
    package func dropTranscode(titleID: String) async throws -> APIObject<LadderFields> {
        try await send(TitleAPI.deleteTitleLadder, titleID)
    }
}

extension APIObject where Fields == ListedTitleFields {
    /// The title, without what only lists say.
    var title: APIObject<TitleFields> { APIObject<TitleFields>(json: json) ?? TitleFields.request { _ in [] } }
}
