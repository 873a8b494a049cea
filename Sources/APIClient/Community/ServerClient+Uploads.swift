package import APIContract
package import APIDeclarations
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

extension ServerClient {
    /// Bytes that are sent at once; what a lost connection costs at most.
    private static let pieceByteCount = 8 << 20
    /// Limit of failures of the network, one after the other.
    private static let maximumFailureCount = 8
    /// Limit of the answer to a piece.
    private static let pieceTimeout = Duration.seconds(600)

    /// Sends a video file in pieces (tus 1.0), and goes on when the network is back.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - progress: called with the share of the file that the server has, from 0 to 1.
    /// - Returns: the ID of the upload.
    /// - Throws: ``ServerClientError``
    package func sendVideo(fileAt path: String, progress: (Double) -> Void) async throws -> String {
        let pool = NIOThreadPool.singleton
        guard let file = try await pool.runIfActive({ FileHandle(forReadingAtPath: path) }) else {
            throw ServerClientError("\(path) cannot be read.")
        }
        defer { try? file.close() }
        let size = Int64(try await pool.runIfActive { try file.seekToEnd() })
        let name = URL(filePath: path).lastPathComponent
        var request = Self.tus(HTTPClientRequest(url: base + MemberUploadAPI.createMemberUpload.path), .POST)
        request.headers.add(name: "Upload-Length", value: "\(size)")
        request.headers.add(
            name: "Upload-Metadata", value: "filename \(Data(name.utf8).base64EncodedString())")
        let (created, body) = try await exchange(request, timeout: Self.timeout)
        guard created.status == .created,
            let id = created.headers.first(name: "Location")?.split(separator: "/").last.map(String.init)
        else {
            _ = try result(created, body)
            throw ServerClientError("\(base) does not respond like an Antena server.")
        }
        var (offset, failures) = (Int64(0), 0)
        while offset < size {
            do {
                let start = UInt64(offset)
                let piece = try await pool.runIfActive {
                    try file.seek(toOffset: start)
                    return try file.read(upToCount: Self.pieceByteCount) ?? Data()
                }
                guard !piece.isEmpty else { throw ServerClientError("\(path) has become shorter.") }
                offset = try await send(piece, of: id, at: offset)
                failures = 0
                progress(Double(offset) / Double(size))
            } catch let error as ServerClientError where error.isUnreachable && failures < Self.maximumFailureCount {
                failures += 1
                try await Task.sleep(for: .seconds(1 << min(failures, 5)))
                offset = (try? await position(of: id)) ?? offset
            }
        }
        return id
    }

    private static func tus(_ request: HTTPClientRequest, _ method: HTTPMethod) -> HTTPClientRequest {
        var request = request
        request.method = method
        request.headers.add(name: "Tus-Resumable", value: "1.0.0")
        return request
    }

    private func send(_ piece: Data, of id: String, at offset: Int64) async throws -> Int64 {
        let path = Self.path(of: MemberUploadAPI.appendToMemberUpload, [id])
        var request = Self.tus(HTTPClientRequest(url: base + path), .PATCH)
        request.headers.add(name: "Content-Type", value: "application/offset+octet-stream")
        request.headers.add(name: "Upload-Offset", value: "\(offset)")
        request.body = .bytes(ByteBuffer(bytes: piece))
        let (response, body) = try await exchange(request, timeout: Self.pieceTimeout)
        if response.status == .conflict { return try await position(of: id) }
        guard let end = response.headers.first(name: "Upload-Offset").flatMap({ Int64($0) }) else {
            _ = try result(response, body)
            throw ServerClientError("\(base) does not respond like an Antena server.")
        }
        return end
    }

    /// The number of bytes that the server has.
    private func position(of id: String) async throws -> Int64 {
        let path = Self.path(of: MemberUploadAPI.getMemberUploadOffset, [id])
        let request = Self.tus(HTTPClientRequest(url: base + path), .HEAD)
        let (response, body) = try await exchange(request, timeout: Self.timeout)
        guard let offset = response.headers.first(name: "Upload-Offset").flatMap({ Int64($0) }) else {
            _ = try result(response, body)
            throw ServerClientError("\(base) does not respond like an Antena server.")
        }
        return offset
    }

    /// The member's uploads, newest first.
    package func uploads(limit: Int) async throws -> [APIObject<SentVideoFields>] {
        try await items(in: MemberUploadAPI.listMemberUploads, limit: limit)
    }

    /// Says what a sent video is about, with `publish`.
    package func describeUpload(
        _ id: String, _ change: APIObject<SentVideoChangeFields>
    ) async throws -> APIObject<SentVideoFields> {
        try await send(MemberUploadAPI.publishMemberUpload, id, body: change)
    }

    /// Deletes a sent video with its file.
    package func deleteUpload(_ id: String) async throws {
        let path = Self.path(of: MemberUploadAPI.deleteMemberUpload, [id])
        let request = Self.tus(HTTPClientRequest(url: base + path), .DELETE)
        let (response, body) = try await exchange(request, timeout: Self.timeout)
        _ = try result(response, body)
    }
}
