package import MediaAccess
package import MediaCore
package import VideoClub

/// Signs what somebody may watch who does not show it with each request: whatever else is signed for viewers than the
/// links in the operators' list.
package struct ViewingSignatures: Sendable {
    private let links: MediaLinks

    /// The time for which the address of something that needs no rental plays.
    private static let freeTime = Duration.seconds(12 * 3_600)
    /// The time for which copies are signed while their rental has no end.
    private static let copyTime = Duration.seconds(7 * 86_400)

    /// - Parameter links: has the key.
    package init(_ links: MediaLinks) { self.links = links }

    /// The signature for somebody who shows a credential once.
    ///
    /// - Parameters:
    ///   - end: its end.
    ///   - folder: the folder under which all may be watched, such as `/vod/film`.
    package func signature(until end: WallClockTime, _ folder: String) -> MediaSignature {
        links.sign(folder, until: end)
    }

    /// The signature for a rental's member. All that a playlist names has it in its path, and ends with the rental.
    ///
    /// - Parameters:
    ///   - permit: the right to play the title.
    ///   - folder: the folder of the title, such as `/vod/film`.
    package func signature(for permit: RentalPermit, _ folder: String) -> MediaSignature {
        let rental = permit.rental
        return links.sign(
            folder, until: permit.end, id: rental.id, startingBefore: permit.end == rental.endsAt ? nil : rental.endsAt,
            session: permit.session)
    }

    /// The folder under which a rental's member watches without showing a credential again.
    ///
    /// - Parameters:
    ///   - folder: the folder of the title, such as `/vod/film`.
    ///   - permit: the right to play it.
    package func folder(_ folder: String, with permit: RentalPermit) -> String {
        Self.path(signature(for: permit, folder), folder)
    }

    /// The folder under which something plays that needs no rental, until it gets a price, for 12 hours at most.
    ///
    /// - Parameter folder: the folder of the title, such as `/vod/film`.
    package func folderWhileFree(_ folder: String) -> String {
        Self.path(links.signWhileFree(folder, until: links.now + Self.freeTime), folder)
    }

    /// The signature in the addresses of a copy.
    ///
    /// - Parameters:
    ///   - folder: the folder of the copy.
    ///   - rental: the rental whose copy it is.
    package func signature(ofCopyIn folder: String, _ rental: Rental) -> MediaSignature {
        links.sign(folder, until: rental.endsAt ?? links.now + Self.copyTime, id: rental.id)
    }

    private static func path(_ signature: MediaSignature, _ folder: String) -> String {
        "/\(MediaLinks.folderName)/\(signature.text)\(folder)"
    }
}
