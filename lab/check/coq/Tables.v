(* Generated: cargo tools gen-proofs. The integers of three tables at sigma = 3.2. *)
From Coq Require Import ZArith List.
Import ListNotations.
Local Open Scope Z_scope.

(* The width sigma = sigma_num/sigma_den. The centre is 0. *)
Definition sigma_num := 16.
Definition sigma_den := 5.

(* The inversion table: thresholds T_1 to T_n in units of 2^-precision. *)
Definition precision := 128.
Definition thresholds : list Z := [
  0xe015a97f36bc1b4fac41f49bf1698e32;
  0xa34bb457fb20012466440a5f20403d1b;
  0x6eca3b2fa3848c89fb9d94d766dbb098;
  0x45a87be4320d5df43daa4fd104fc85f1;
  0x286f2d6af3a06462f4285ab89f6a9c31;
  0x159a4ece2c5cd44c294fa1b4fd605f77;
  0xa98d26cfe140a69033cb72e384ad159;
  0x4c362e131d02b1f6ed8f531a31ab9e8;
  0x1f56d53d5eb4da9b78c6f4e90c69136;
  0xbc62cc0e4812dd8440c3fdb6288cb7;
  0x40981feae198cfd7f896bc4ca6ebb8;
  0x1432106d052e4ed159cfed4f002a6a;
  0x5c0d4991a859461a93a72ff800a24;
  0x17e1010a247384f189d9dc6ede5e7;
  0x5a33a5f5021f570361631585571e;
  0x135f8aabaf1679e73279044f068a;
  0x3c8a8ccb1783270851ce34246c9;
  0xabfd7e635ae98352545023724d;
  0x1bc0eb8b113ae6a8a3cc0a0919;
  0x411b9fc17d35a431a4487a74a;
  0x8ac0571b61a6fb35ed5d9e12;
  0x10c90e6340c5c6f30dfa1dee;
  0x1d8120d3c7567acec48c6ef;
  0x2f16ecb89cdff3b0807542;
  0x443b83ac112e297058712;
  0x59c04c7592916552abb2;
  0x6b28cd62c839696ced5;
  0x741ff254a86fd05438;
  0x7234efb532c40293c;
  0x65ee176608afabff;
  0x528d7026879a51a;
  0x3caac3cf48c6a9;
  0x2873f1e84b00a;
  0x18794ef7f35d;
  0xd6f04d7595;
  0x6b094e6f8;
  0x305b6495;
  0x13d1b95;
  0x75e6f;
  0x27c3;
  0xc2;
  0x3
].
(* Hundredths of base-2 logarithms, as `samplez certify` prints them. *)
Definition cdt_sd := (-12382)%Z.
Definition cdt_r2 := (-13155)%Z.
Definition cdt_r256 := (-12924)%Z.
Definition cdt_r513 := (-12908)%Z.
Definition cdt_rinf := (-12082)%Z.
Definition cdt_tail := (-13223)%Z.

(* knuth-yao-ct: the stored numbers of its levels, and the index to which a count of 1 leads. *)
Definition one_first := 0.
Definition one_numbers : list Z := [
  0x78;
  0x69;
  0x4b;
  0x31;
  0x1d;
  0xf;
  0x6;
  0x1
].
Definition two_first := 0.
Definition two_numbers : list Z := [
  0xf8;
  0xda;
  0xce;
  0xc6;
  0xb4;
  0xa1;
  0x94;
  0x84;
  0x47;
  0x1b;
  0x8;
  0x1
].
Definition three_first := 0.
Definition three_numbers : list Z := [
  0xfff8;
  0xeb4b;
  0xd761;
  0xd46f;
  0xd0f1;
  0xbe55;
  0xb498;
  0xb1a0;
  0xa6c1;
  0x8ad6;
  0x78c1;
  0x612c;
  0x2860;
  0xb7e;
  0x2f9;
  0xb2;
  0x25;
  0x6
].
Definition rest_first := 0.
Definition rest_numbers : list Z := [
  0xffcdaf06d3eb107d26fc5a638c80;
  0xf5fec8004919910297c8100f46c0;
  0xebe8e123227ee76535d9b6ec2600;
  0xd90c83577d0f6a93f4413f217c40;
  0xbabce81918bd0a16ae27daa70c40;
  0xb38b1735130a53e86d3f5817ddc0;
  0x9b3f85029a40cf2dcb8e12b45640;
  0x984c740ac7dbb63d4c68c6ae7a00;
  0x94f57ad36a6de31bd3a431a44d80;
  0x93039204b7611030ff6d8a232dc0;
  0x87fab86633f5fe25af1329baee00;
  0x841b414b93b45673fb53c00a9a80;
  0x752646a165186a4e9cbfe0028900;
  0x64042891ce13c6276771bb7979c0;
  0x4ce97d4087d5c0d858c56155c780;
  0x37e2aaebc59e79cc9e4113c1a280;
  0x322a332c5e0c9c214738d091b240;
  0x2aff5f98d6ba60d4951408dc9340;
  0x6f03ae2c44eb9aa28f302824640;
  0x1046e7f05f4d690c69121e9d280;
  0x22b015c6d869becd7b57678480;
  0x4324398d03171bcc37e877b80;
  0x7604834f1d59eb3b1231bbc0;
  0xbc5bb2e2737fcec201d5080;
  0x110ee0eb044b8a5c161c480;
  0x1670131d64a45954aaec80;
  0x1aca3358b20e5a5b3b540;
  0x1d07fc952a1bf4150e00;
  0x1c8d3bed4cb100a4f00;
  0x197b85d9822beaffc0;
  0x14a35c09a1e694680;
  0xf2ab0f3d231aa40;
  0xa1cfc7a12c0280;
  0x61e53bdfcd740;
  0x35bc135d6540;
  0x1ac2539be00;
  0xc16d92540;
  0x4f46e540;
  0x1d79bc0;
  0x9f0c0;
  0x3080;
  0xc0
].
Definition rest_bits := 112.

(* isochronous: S in units of 2^-32, the weights of the strips, and the goals of b = 1 and b = 0 in units of
   2^-goal_bits. *)
Definition height := 951732804.
Definition weights : list Z := [
  14523;
  13831;
  11946;
  9358;
  6649;
  4285;
  2504;
  1328;
  639;
  279;
  111;
  40;
  13;
  4;
  2;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1;
  1
].
Definition goal_bits := 127.
Definition upper_goals : list Z := [
  0x1b031d1d63b814240000000000000000;
  0x1754dae0fc0da1cc8000000000000000;
  0x1246fffff8d0a6d78000000000000000;
  0xcfc64fa94f2507d4000000000000000;
  0x85e33c9e6f7933f0000000000000000;
  0x4e3fa79ca10b42ee000000000000000;
  0x2979f9186cc02488000000000000000;
  0x13f084e84ae3dc3f000000000000000;
  0x8b1a5e6f43efa60800000000000000;
  0x3702125e3c9f726600000000000000;
  0x13ba9fd11627d56f80000000000000;
  0x66ae73ea2f6b9ea80000000000000;
  0x1e4b1960331828110000000000000;
  0x81b0ff6741af4a78000000000000;
  0x1f792f7c4675f65a000000000000;
  0x6ed6397e560003b600000000000;
  0x162020ddd82dc6c200000000000;
  0x4017cf1013d326fc0000000000;
  0xa863dd7d19be3e80000000000;
  0x1913f0585cdfe052000000000;
  0x3632620bdd9c36d600000000;
  0x6a3abd31bb375cba0000000;
  0xbcd837e1328ec1f4000000;
  0x13079c82c0bca529000000;
  0x1bd3c1fa339b465000000;
  0x24e7dfa65409b3ca0000;
  0x2c646c9f3ad6e326000;
  0x306dee7a026a7ab200;
  0x2feb07e628b6349b0;
  0x2b003ee01a87ee2b;
  0x22ff877ee15386a;
  0x19d5a4707c945a;
  0x114bc40ed5742;
  0xa808b0e73c2;
  0x5c899a9e1d;
  0x2e383ddc8;
  0x14efffaf;
  0x89a2b7;
  0x33496
].
Definition lower_goals : list Z := [
  0x1c5d2521fffffffb0000000000000000;
  0x1b031d1d63b814240000000000000000;
  0x1754dae0fc0da1cc8000000000000000;
  0x1246fffff8d0a6d78000000000000000;
  0xcfc64fa94f2507d4000000000000000;
  0x85e33c9e6f7933f0000000000000000;
  0x4e3fa79ca10b42ee000000000000000;
  0x2979f9186cc02488000000000000000;
  0x13f084e84ae3dc38000000000000000;
  0x8b1a5e6f43efa60800000000000000;
  0x3702125e3c9f726600000000000000;
  0x13ba9fd11627d56f80000000000000;
  0x66ae73ea2f6b9ea80000000000000;
  0x1e4b1960331828110000000000000;
  0x81b0ff6741af4a78000000000000;
  0x1f792f7c4675f644000000000000;
  0x6ed6397e5600039000000000000;
  0x162020ddd82dc6c200000000000;
  0x4017cf1013d326fc0000000000;
  0xa863dd7d19be3e80000000000;
  0x1913f0585cdfe049000000000;
  0x3632620bdd9c36d600000000;
  0x6a3abd31bb375c4a0000000;
  0xbcd837e1328ec1f4000000;
  0x13079c82c0bca522000000;
  0x1bd3c1fa339b465000000;
  0x24e7dfa65409b3ca0000;
  0x2c646c9f3ad6e317000;
  0x306dee7a026a7ab200;
  0x2feb07e628b634580;
  0x2b003ee01a87ee1c;
  0x22ff877ee15386a;
  0x19d5a4707c945a;
  0x114bc40ed5742;
  0xa808b0e73c2;
  0x5c899a9e1d;
  0x2e383ddc8;
  0x14efffaf;
  0x89a2b7
].
(* Hundredths of base-2 logarithms, as `samplez certify` prints them. *)
Definition strips_sd := (-5300)%Z.
Definition strips_r2 := (-10300)%Z.
Definition strips_r256 := (-9800)%Z.
Definition strips_r513 := (-9700)%Z.
Definition strips_rinf := (-5200)%Z.
Definition strips_tail := (-10300)%Z.
