// One entry for each language (ISO 639-1, and Asturian), so that a file of texts is found by its name alone: adding one
// needs no line here. CEmbeddedFiles.c includes this file, which includes LANGUAGE_ENTRY for each language.
#define TAG aa
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ab
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ae
#include LANGUAGE_ENTRY
#undef TAG
#define TAG af
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ak
#include LANGUAGE_ENTRY
#undef TAG
#define TAG am
#include LANGUAGE_ENTRY
#undef TAG
#define TAG an
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ar
#include LANGUAGE_ENTRY
#undef TAG
#define TAG as
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ast
#include LANGUAGE_ENTRY
#undef TAG
#define TAG av
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ay
#include LANGUAGE_ENTRY
#undef TAG
#define TAG az
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ba
#include LANGUAGE_ENTRY
#undef TAG
#define TAG be
#include LANGUAGE_ENTRY
#undef TAG
#define TAG bg
#include LANGUAGE_ENTRY
#undef TAG
#define TAG bh
#include LANGUAGE_ENTRY
#undef TAG
#define TAG bi
#include LANGUAGE_ENTRY
#undef TAG
#define TAG bm
#include LANGUAGE_ENTRY
#undef TAG
#define TAG bn
#include LANGUAGE_ENTRY
#undef TAG
#define TAG bo
#include LANGUAGE_ENTRY
#undef TAG
#define TAG br
#include LANGUAGE_ENTRY
#undef TAG
#define TAG bs
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ca
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ce
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ch
#include LANGUAGE_ENTRY
#undef TAG
#define TAG co
#include LANGUAGE_ENTRY
#undef TAG
#define TAG cr
#include LANGUAGE_ENTRY
#undef TAG
#define TAG cs
#include LANGUAGE_ENTRY
#undef TAG
#define TAG cu
#include LANGUAGE_ENTRY
#undef TAG
#define TAG cv
#include LANGUAGE_ENTRY
#undef TAG
#define TAG cy
#include LANGUAGE_ENTRY
#undef TAG
#define TAG da
#include LANGUAGE_ENTRY
#undef TAG
#define TAG de
#include LANGUAGE_ENTRY
#undef TAG
#define TAG dv
#include LANGUAGE_ENTRY
#undef TAG
#define TAG dz
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ee
#include LANGUAGE_ENTRY
#undef TAG
#define TAG el
#include LANGUAGE_ENTRY
#undef TAG
#define TAG en
#include LANGUAGE_ENTRY
#undef TAG
#define TAG eo
#include LANGUAGE_ENTRY
#undef TAG
#define TAG es
#include LANGUAGE_ENTRY
#undef TAG
#define TAG et
#include LANGUAGE_ENTRY
#undef TAG
#define TAG eu
#include LANGUAGE_ENTRY
#undef TAG
#define TAG fa
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ff
#include LANGUAGE_ENTRY
#undef TAG
#define TAG fi
#include LANGUAGE_ENTRY
#undef TAG
#define TAG fj
#include LANGUAGE_ENTRY
#undef TAG
#define TAG fo
#include LANGUAGE_ENTRY
#undef TAG
#define TAG fr
#include LANGUAGE_ENTRY
#undef TAG
#define TAG fy
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ga
#include LANGUAGE_ENTRY
#undef TAG
#define TAG gd
#include LANGUAGE_ENTRY
#undef TAG
#define TAG gl
#include LANGUAGE_ENTRY
#undef TAG
#define TAG gn
#include LANGUAGE_ENTRY
#undef TAG
#define TAG gu
#include LANGUAGE_ENTRY
#undef TAG
#define TAG gv
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ha
#include LANGUAGE_ENTRY
#undef TAG
#define TAG he
#include LANGUAGE_ENTRY
#undef TAG
#define TAG hi
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ho
#include LANGUAGE_ENTRY
#undef TAG
#define TAG hr
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ht
#include LANGUAGE_ENTRY
#undef TAG
#define TAG hu
#include LANGUAGE_ENTRY
#undef TAG
#define TAG hy
#include LANGUAGE_ENTRY
#undef TAG
#define TAG hz
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ia
#include LANGUAGE_ENTRY
#undef TAG
#define TAG id
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ie
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ig
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ii
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ik
#include LANGUAGE_ENTRY
#undef TAG
#define TAG io
#include LANGUAGE_ENTRY
#undef TAG
#define TAG is
#include LANGUAGE_ENTRY
#undef TAG
#define TAG it
#include LANGUAGE_ENTRY
#undef TAG
#define TAG iu
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ja
#include LANGUAGE_ENTRY
#undef TAG
#define TAG jv
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ka
#include LANGUAGE_ENTRY
#undef TAG
#define TAG kg
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ki
#include LANGUAGE_ENTRY
#undef TAG
#define TAG kj
#include LANGUAGE_ENTRY
#undef TAG
#define TAG kk
#include LANGUAGE_ENTRY
#undef TAG
#define TAG kl
#include LANGUAGE_ENTRY
#undef TAG
#define TAG km
#include LANGUAGE_ENTRY
#undef TAG
#define TAG kn
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ko
#include LANGUAGE_ENTRY
#undef TAG
#define TAG kr
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ks
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ku
#include LANGUAGE_ENTRY
#undef TAG
#define TAG kv
#include LANGUAGE_ENTRY
#undef TAG
#define TAG kw
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ky
#include LANGUAGE_ENTRY
#undef TAG
#define TAG la
#include LANGUAGE_ENTRY
#undef TAG
#define TAG lb
#include LANGUAGE_ENTRY
#undef TAG
#define TAG lg
#include LANGUAGE_ENTRY
#undef TAG
#define TAG li
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ln
#include LANGUAGE_ENTRY
#undef TAG
#define TAG lo
#include LANGUAGE_ENTRY
#undef TAG
#define TAG lt
#include LANGUAGE_ENTRY
#undef TAG
#define TAG lu
#include LANGUAGE_ENTRY
#undef TAG
#define TAG lv
#include LANGUAGE_ENTRY
#undef TAG
#define TAG mg
#include LANGUAGE_ENTRY
#undef TAG
#define TAG mh
#include LANGUAGE_ENTRY
#undef TAG
#define TAG mi
#include LANGUAGE_ENTRY
#undef TAG
#define TAG mk
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ml
#include LANGUAGE_ENTRY
#undef TAG
#define TAG mn
#include LANGUAGE_ENTRY
#undef TAG
#define TAG mr
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ms
#include LANGUAGE_ENTRY
#undef TAG
#define TAG mt
#include LANGUAGE_ENTRY
#undef TAG
#define TAG my
#include LANGUAGE_ENTRY
#undef TAG
#define TAG na
#include LANGUAGE_ENTRY
#undef TAG
#define TAG nb
#include LANGUAGE_ENTRY
#undef TAG
#define TAG nd
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ne
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ng
#include LANGUAGE_ENTRY
#undef TAG
#define TAG nl
#include LANGUAGE_ENTRY
#undef TAG
#define TAG nn
#include LANGUAGE_ENTRY
#undef TAG
#define TAG no
#include LANGUAGE_ENTRY
#undef TAG
#define TAG nr
#include LANGUAGE_ENTRY
#undef TAG
#define TAG nv
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ny
#include LANGUAGE_ENTRY
#undef TAG
#define TAG oc
#include LANGUAGE_ENTRY
#undef TAG
#define TAG oj
#include LANGUAGE_ENTRY
#undef TAG
#define TAG om
#include LANGUAGE_ENTRY
#undef TAG
#define TAG or
#include LANGUAGE_ENTRY
#undef TAG
#define TAG os
#include LANGUAGE_ENTRY
#undef TAG
#define TAG pa
#include LANGUAGE_ENTRY
#undef TAG
#define TAG pi
#include LANGUAGE_ENTRY
#undef TAG
#define TAG pl
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ps
#include LANGUAGE_ENTRY
#undef TAG
#define TAG pt
#include LANGUAGE_ENTRY
#undef TAG
#define TAG qu
#include LANGUAGE_ENTRY
#undef TAG
#define TAG rm
#include LANGUAGE_ENTRY
#undef TAG
#define TAG rn
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ro
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ru
#include LANGUAGE_ENTRY
#undef TAG
#define TAG rw
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sa
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sc
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sd
#include LANGUAGE_ENTRY
#undef TAG
#define TAG se
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sg
#include LANGUAGE_ENTRY
#undef TAG
#define TAG si
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sk
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sl
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sm
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sn
#include LANGUAGE_ENTRY
#undef TAG
#define TAG so
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sq
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sr
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ss
#include LANGUAGE_ENTRY
#undef TAG
#define TAG st
#include LANGUAGE_ENTRY
#undef TAG
#define TAG su
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sv
#include LANGUAGE_ENTRY
#undef TAG
#define TAG sw
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ta
#include LANGUAGE_ENTRY
#undef TAG
#define TAG te
#include LANGUAGE_ENTRY
#undef TAG
#define TAG tg
#include LANGUAGE_ENTRY
#undef TAG
#define TAG th
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ti
#include LANGUAGE_ENTRY
#undef TAG
#define TAG tk
#include LANGUAGE_ENTRY
#undef TAG
#define TAG tl
#include LANGUAGE_ENTRY
#undef TAG
#define TAG tn
#include LANGUAGE_ENTRY
#undef TAG
#define TAG to
#include LANGUAGE_ENTRY
#undef TAG
#define TAG tr
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ts
#include LANGUAGE_ENTRY
#undef TAG
#define TAG tt
#include LANGUAGE_ENTRY
#undef TAG
#define TAG tw
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ty
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ug
#include LANGUAGE_ENTRY
#undef TAG
#define TAG uk
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ur
#include LANGUAGE_ENTRY
#undef TAG
#define TAG uz
#include LANGUAGE_ENTRY
#undef TAG
#define TAG ve
#include LANGUAGE_ENTRY
#undef TAG
#define TAG vi
#include LANGUAGE_ENTRY
#undef TAG
#define TAG vo
#include LANGUAGE_ENTRY
#undef TAG
#define TAG wa
#include LANGUAGE_ENTRY
#undef TAG
#define TAG wo
#include LANGUAGE_ENTRY
#undef TAG
#define TAG xh
#include LANGUAGE_ENTRY
#undef TAG
#define TAG yi
#include LANGUAGE_ENTRY
#undef TAG
#define TAG yo
#include LANGUAGE_ENTRY
#undef TAG
#define TAG za
#include LANGUAGE_ENTRY
#undef TAG
#define TAG zh
#include LANGUAGE_ENTRY
#undef TAG
#define TAG zu
#include LANGUAGE_ENTRY
#undef TAG
