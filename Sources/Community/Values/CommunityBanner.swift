/// An image of the operator on the public pages of the community, such as that of a sponsor, which leads to another
/// site.
package struct CommunityBanner: Sendable, Hashable {
    /// The position of a banner on a page.
    package enum Place: String, Sendable, Hashable, CaseIterable {
        case top, bottom
    }

    package var place: Place
    /// The path of its file: below the media folder, or absolute.
    package var image: String
    /// The address to which it leads, which begins with `http://` or `https://`.
    package var link: String
    /// A text alternative for the image.
    package var text: String

    package init(place: Place, image: String, link: String, text: String) {
        (self.place, self.image, self.link, self.text) = (place, image, link, text)
    }
}
