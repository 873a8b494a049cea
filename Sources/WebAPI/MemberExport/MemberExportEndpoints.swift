import APIDeclarations
package import Accounts
package import Community
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
package import NIOPosix
import SiteTexts
package import Workflows

/// `/api/v1/me/export`: all that the server knows about the caller.
package struct MemberExportEndpoints: Sendable {
    /// The uploads of somebody whose files are wanted.
    package typealias Uploads = @Sendable (Caller) async throws -> [MemberUpload]

    private let accounts: Accounts
    private let source: ExportSource
    private let library: any LibraryFileAccess
    private let threadPool: NIOThreadPool
    private let uploads: Uploads
    /// Archives with the videos that members have sent: two pieces of 128 KiB for each.
    private let places = DownloadPlaces(maximumCount: 16, maximumCountOfHolder: 1)

    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - source: what all domains know about a member.
    ///   - library: opens the videos that members have sent.
    ///   - threadPool: reads them.
    ///   - uploads: finds them.
    package init(
        accounts: Accounts, source: @escaping ExportSource, library: any LibraryFileAccess, threadPool: NIOThreadPool,
        uploads: @escaping Uploads
    ) {
        (self.accounts, self.source, self.library) = (accounts, source, library)
        (self.threadPool, self.uploads) = (threadPool, uploads)
    }

    private static let own = AccessRule.member(.session, reason: "the caller's own account")

    package var endpoints: [Endpoint] {
        [
            Endpoint(AccountAPI.exportOwnData, Self.own, handler: export),
            Endpoint(AccountAPI.exportOwnDataArchive, Self.own, handler: exportArchive),
        ]
    }

    /// All that the server knows about the account, for its owner, as one document.
    private func export(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let export = try await MemberExport(of: caller.caller, accounts, source)
        return export.document.response()
            .adding(.contentDisposition, "attachment; filename=\"antena-\(export.member.account.id.text).json\"")
    }

    /// The same as an archive with a file for each area, and with `files=true` also the videos that the member has
    /// sent.
    private func exportArchive(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let wantsFiles = try PageRequest.flag("files", in: request)
        let export = try await MemberExport(of: caller.caller, accounts, source)
        let text = MemberExportText.preferred(request.headers[.acceptLanguage])
        let name = "antena-\(export.member.account.id.text).zip"
        let areas = export.files
        guard wantsFiles else {
            let introduction = export.introduction(text, files: nil)
            return ArchiveResponse.of(name, [introduction] + areas, modifiedAt: export.member.madeAt)
        }
        let files = try await memberFiles(of: export, caller)
        return ArchiveResponse.of(name, areas, modifiedAt: export.member.madeAt) { archive, writer in
            let entries = try await files.write(to: &archive, &writer, modifiedAt: export.member.madeAt)
            return [export.introduction(text, files: entries)]
        }
    }

    private func memberFiles(of export: MemberExport, _ caller: GatewayRequestContext) async throws -> MemberFiles {
        guard let place = places.take(export.member.account.id.text) else {
            var problem = ProblemDetails(
                .serviceUnavailable,
                "an archive with your videos is being downloaded, or too many others are; try again later"
            )
            problem.headers[.retryAfter] = "60"
            throw problem
        }
        let uploads = try await uploads(caller.caller)
        return MemberFiles(
            uploads: uploads, library: library, threadPool: threadPool, place: place)
    }
}
