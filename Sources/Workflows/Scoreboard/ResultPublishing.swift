import MediaCore
package import MediaIntake
package import Scoreboard

/// Makes documents of results, and sends them.
package struct ResultPublishing: Sendable {
    private let documents: ResultDocuments
    /// `nil` for a server that sends no mail.
    private let mails: ResultMails?
    private let stationName: @Sendable () -> String

    /// - Parameters:
    ///   - documents: makes the documents.
    ///   - mails: sends them; `nil` for a server that sends no mail.
    ///   - stationName: the name of the station, as it is now.
    package init(
        _ documents: ResultDocuments, mails: ResultMails? = nil, stationName: @escaping @Sendable () -> String
    ) {
        (self.documents, self.mails, self.stationName) = (documents, mails, stationName)
    }

    /// Whether the server sends mail.
    package var sendsMail: Bool { mails != nil }

    /// A document without results.
    package func content(lines: [String], _ text: ResultText) -> ResultDocuments.Content {
        ResultDocuments.Content([], station: stationName(), lines: lines, text: text)
    }

    /// Makes a PDF file of the newest results.
    ///
    /// - Parameters:
    ///   - content: the words of the document.
    ///   - sender: who asks for it.
    ///   - page: reads the page of results after a cursor; `nil` for the first.
    /// - Throws: `Refusal` like ``ResultDocuments/pdf(for:_:)``, and errors of `page`.
    package func pdf(
        _ content: ResultDocuments.Content, for sender: UploadSender,
        page: @escaping MatchPages
    ) async throws -> [UInt8] {
        try await documents.pdf(for: sender) { try await Self.filled(content, page) }.file
    }

    /// A mail that somebody sends.
    package struct Mailing: Sendable {
        /// The recipients.
        package var addresses: [String]
        /// The name of the account that sends it, which the text names.
        package var senderName: String
        package var sender: UploadSender

        package init(addresses: [String], senderName: String, sender: UploadSender) {
            (self.addresses, self.senderName, self.sender) = (addresses, senderName, sender)
        }
    }

    /// Sends the newest results as a PDF file.
    ///
    /// - Parameters:
    ///   - content: the words of the document, in the language of the mail.
    ///   - mailing: the recipients and the sender.
    ///   - page: reads the page of results after a cursor; `nil` for the first.
    /// - Returns: the number of mails.
    /// - Throws: `Refusal` with `conflict` if the server sends no mail or there are no results, those of
    ///   ``ResultMails`` and ``ResultDocuments/pdf(for:_:)``, and errors of `page`.
    package func mail(
        _ content: ResultDocuments.Content, _ mailing: Mailing,
        page: @escaping MatchPages
    ) async throws -> Int {
        guard let mails else {
            throw Refusal(.conflict, "this server sends no mail; its operator can set --smtp and --mail-from")
        }
        let addresses = try mails.addresses(mailing.addresses)
        try mails.check(addresses, by: mailing.senderName)
        let (content, file) = try await documents.pdf(for: mailing.sender) { [content] in
            let content = try await Self.filled(content, page)
            guard !content.matches.isEmpty else { throw Refusal(.conflict, "there are no results to send") }
            return content
        }
        try mails.admit(addresses, by: mailing.senderName)
        let mail = ResultMail(
            subject: content.text.resultMailSubject,
            text: content.text.mailText(content.matches.count, sender: mailing.senderName, site: content.station)
                + "\n",
            language: content.text.language, senderName: content.station, file: file)
        return try mails.send(mail, to: addresses)
    }

    /// Limit of the pages of results that are read for a document: some may have nothing that the reader may see.
    private static let maximumPageCount = 200

    private static func filled(
        _ content: ResultDocuments.Content, _ page: MatchPages
    ) async throws -> ResultDocuments.Content {
        var (content, cursor, pageCount) = (content, String?.none, 0)
        repeat {
            let (items, next) = try await page(cursor)
            content.matches += items.prefix(ResultDocuments.maximumCount - content.matches.count)
            (cursor, pageCount) = (next, pageCount + 1)
        } while cursor != nil && content.matches.count < ResultDocuments.maximumCount && pageCount < maximumPageCount
        content.hasMore = cursor != nil
        return content
    }
}
