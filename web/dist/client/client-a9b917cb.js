const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["client-ProfilePage-fe703c1f.js","client-libraries-df66e8dc.js","client-PageHead-abec46bb.js","client-PersonRow-4e14c662.js","client-LiveList-244ffce3.js","client-PeopleList-d1f2c91c.js","client-SearchPage-d8910585.js","client-LivePage-8cf390ea.js","client-SettingsPage-8df9a79d.js"])))=>i.map(i=>d[i]);
import{a as e,i as t,n,r,t as i}from"./client-libraries-df66e8dc.js";import{$ as a,A as o,B as s,C as c,D as l,E as u,G as d,H as f,I as p,J as m,K as h,L as g,M as _,N as v,O as y,P as b,Q as x,R as S,S as C,T as w,U as T,V as ee,W as E,X as D,Y as te,Z as ne,_ as O,a as k,b as re,c as ie,d as A,g as ae,i as j,j as oe,k as se,l as ce,m as M,o as le,p as N,q as ue,r as de,s as P,t as F,u as I,v as fe,x as pe,y as me,z as he}from"./client-PageHead-abec46bb.js";var L=e(),ge=t(),R=n(),z=r(),_e=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:[{kind:`Literal`,name:`first`,value:0}],concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:[{kind:`Variable`,name:`since`,variableName:`since`}],kind:`ScalarField`,name:`newCount`,storageKey:null}],storageKey:`homeFeed(first:0)`}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`newsCountQuery`,selections:t,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`newsCountQuery`,selections:t},params:{cacheID:`0954bfc113187bf34c3c449b98d24d4d`,id:null,metadata:{},name:`newsCountQuery`,operationKind:`query`,text:`query newsCountQuery(
  $since: String!
) {
  viewer {
    homeFeed(first: 0) {
      newCount(since: $since)
    }
  }
}
`}}})();_e.hash=`a42fbd497a2b580fcae75f7fa785b0ca`;var ve=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null};return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`newsHomeFeedSubscription`,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`homeFeedEdges`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,n,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,i],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`newsHomeFeedSubscription`,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`homeFeedEdges`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,n,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,i,t,a,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[t,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,t],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[t,o,s,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,a,i,t],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],storageKey:null}],storageKey:null}]},params:{cacheID:`773895801eef3fa4f3ba64057a795174`,id:null,metadata:{},name:`newsHomeFeedSubscription`,operationKind:`subscription`,text:`subscription newsHomeFeedSubscription {
  homeFeedEdges {
    cursor
    node {
      id
      databaseId
      publishedAt
      author {
        databaseId
        name
        id
      }
      ...PostCard_post
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();ve.hash=`80bff645903e39c35555cd0294d3b982`;function B(e,t=Math.random()){let n=Math.min(3e4,500*2**Math.min(e,10));return n/2+n/2*t}function ye(e,t){if(e.publishedAt!==t.publishedAt)return e.publishedAt>t.publishedAt?-1:1;let[n,r]=[e.databaseId,t.databaseId];return n.length===r.length?n===r?0:n>r?-1:1:n.length>r.length?-1:1}function be(e,t,n){if(t.some(t=>t.id===e.id))return`shown`;let r=t.findIndex(e=>e.cursor!==null&&e.cursor===n),i=t[Math.max(r,0)];if(!i||ye(e,i)<0)return`above`;let a=t.slice(Math.max(r,0)).find(t=>t.cursor!==null&&ye(e,t)<0);return a?.cursor?{before:a.cursor}:`below`}function xe(e,t){return Math.max(e,t)}function Se(e){return e>=100?`100+ new posts`:e===1?`1 new post`:`${e} new posts`}var Ce={posts:[],counted:0},we=1e3,Te=class{environment;socket;state=x(Ce);#e=null;#t=null;#n=new Set;#r=0;constructor(e,t){this.environment=e,this.socket=t}start(){return this.socket.onOpen=()=>this.#s(we,()=>void this.count()),this.#i(),()=>{this.#t?.dispose(),this.#t=null;for(let e of this.#n)clearTimeout(e);this.socket.close()}}setTop(e){e!==this.#e&&(this.#e=e,this.state.set({...this.state.get(),counted:0}))}announced(){return this.state.get().posts.map(e=>e.id)}read(e){this.settle(new Set(e)),this.state.set({...this.state.get(),counted:0})}settle(e){let{posts:t,counted:n}=this.state.get();this.state.set({posts:t.filter(t=>!e.has(t.id)),counted:n})}async count(){let e=this.#e;if(e===null)return;let t=(await(0,z.fetchQuery)(this.environment,_e,{since:e},{fetchPolicy:`network-only`}).toPromise().catch(()=>null))?.viewer?.homeFeed.newCount;t!==void 0&&e===this.#e&&this.state.set({...this.state.get(),counted:t})}#i(){this.#t=(0,z.requestSubscription)(this.environment,{subscription:ve,variables:{},onNext:e=>e&&this.#a({...e.homeFeedEdges.node,cursor:e.homeFeedEdges.cursor}),onError:()=>this.#o(),onCompleted:()=>this.#o()})}#a(e){this.#r=0;let{posts:t,counted:n}=this.state.get();t.some(t=>t.id===e.id)||this.state.set({posts:[...t,e].slice(-100),counted:t.length<100?n&&Math.min(n+1,100):100})}#o(){this.#s(B(this.#r++),()=>{this.#t?.dispose(),this.#i(),this.#s(we,()=>void this.count())})}#s(e,t){let n=setTimeout(()=>{this.#n.delete(n),t()},e);this.#n.add(n)}},Ee=2,De=e=>new Promise(t=>setTimeout(t,e));function Oe(e,t,n,r){let i=async(n,i)=>{let a=t.status.get().limitedUntil-Date.now();if(a>0)throw new g(`RATE_LIMITED`,`the server asked for a pause`,null,Math.ceil(a/1e3));let o=t.asked(),s=await Ae(e,{query:n.text,variables:i}).catch(()=>null);if(!s)throw t.lost(),new g(`UNREACHABLE`,`the server does not answer`);o();let c=await s.json().catch(()=>null),l=he(s.status,c,e=>s.headers.get(e))??ke(c,r);if(!l)return c;throw l.code===`RATE_LIMITED`&&t.limited(l.retryAfter),l.code===`UNAUTHENTICATED`&&r.signedOut(),l};return z.Network.create(async(e,t)=>{for(let n=0;;n++)try{return await i(e,t)}catch(t){if(!(e.operationKind===`query`&&t instanceof g&&t.code===`UNAVAILABLE`)||n===Ee)throw t;await De(Math.max(B(n),t.retryAfter*1e3))}},(e,t)=>z.Observable.create(i=>n.subscribe({query:e.text??``,variables:t},{next:i.next,complete:i.complete,error(e){e instanceof g&&e.code===`UNAUTHENTICATED`&&r.signedOut(),i.error(e)}})))}function ke(e,t){let n=e.data;return!t.known||n?.viewer!==null?null:new g(`UNAUTHENTICATED`,`the session is over`)}function Ae(e,t){return fetch(e,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json, application/json;q=0.5`},body:JSON.stringify(t)})}var je=20;function Me(e,t,n){return new z.Environment({network:Oe(`/graphql`,e,t,n),store:new z.Store(new z.RecordSource,{gcReleaseBufferSize:je})})}var Ne=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),Pe=function(e){return`/assets/`+e},Fe={},Ie=function(e){return e.pathname.endsWith(`.css`)},Le=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},V=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=Pe(t,n);let r=s(t),i=Ie(r);return Le(Fe,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:Ne,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},Re=class{endpoint;onOpen=()=>void 0;#e=null;#t=0;constructor(e){this.endpoint=e}subscribe(e,t){let n=!1,r=()=>void 0;return this.#n().then(i=>{n||(r=i.subscribe(e,ze(t)))},e=>t.error(e)),()=>{n=!0,r()}}close(){this.#e?.then(e=>e.dispose()).catch(()=>void 0)}#n(){return this.#e??=V(async()=>{let{createClient:e}=await import(`./client-dist-22dc98f1.js`);return{createClient:e}},[]).then(({createClient:e})=>e({url:new URL(this.endpoint,location.href.replace(/^http/,`ws`)).href,keepAlive:2e4,retryAttempts:1/0,shouldRetry:()=>!0,retryWait:()=>new Promise(e=>setTimeout(e,B(this.#t++))),onNonLazyError:()=>void 0,on:{connected:()=>{this.#t=0,this.onOpen()}}})),this.#e}};function ze(e){return{next(t){let n=t.errors?.[0];n?e.error(new g(String(n.extensions?.code??`INTERNAL`),n.message)):e.next(t)},error:()=>e.error(new g(`UNAVAILABLE`,`the subscription has ended`)),complete:()=>e.complete()}}var Be=(function(){var e=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`DeskProviderQuery`,selections:e,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`DeskProviderQuery`,selections:e},params:{cacheID:`8fb00b43f0cae9ad702976b68b983e5f`,id:null,metadata:{},name:`DeskProviderQuery`,operationKind:`query`,text:`query DeskProviderQuery {
  viewer {
    user {
      id
      databaseId
      handle
      name
    }
  }
}
`}}})();Be.hash=`e442c5ea5fac26821581523baf9c1f37`;var H=i();function U({title:e,onClose:t,children:n}){let r=(0,L.useRef)(null),i=(0,L.useId)();return(0,L.useLayoutEffect)(()=>{let e=r.current;return e?.showModal(),()=>e?.close()},[]),(0,H.jsx)(`dialog`,{ref:r,className:`dialog`,"aria-labelledby":i,onClose:t,onClick:e=>e.target===r.current&&t(),children:(0,H.jsxs)(`div`,{className:`dialog-body`,children:[(0,H.jsxs)(`header`,{className:`dialog-head`,children:[(0,H.jsx)(`h2`,{id:i,children:e}),(0,H.jsx)(`button`,{type:`button`,className:`icon-button`,"aria-label":`Close`,onClick:t,children:(0,H.jsx)(E,{name:`close`})})]}),n]})})}function Ve(e){return(0,H.jsxs)(U,{title:e.title,onClose:e.onClose,children:[(0,H.jsx)(`p`,{children:e.text}),(0,H.jsxs)(`div`,{className:`dialog-foot`,children:[(0,H.jsx)(`button`,{type:`button`,className:`button`,onClick:e.onClose,children:`Keep it`}),(0,H.jsx)(`button`,{type:`button`,className:`button button-danger`,onClick:()=>{e.onClose(),e.onYes()},children:e.yes})]})]})}var He=`tideline-draft `,W=new Set;function Ue(e,{replyTo:t,repostOf:n}){return`${He}${e} ${t?`reply ${t}`:n?`repost ${n}`:`post`}`}function G(e){let t=sessionStorage.getItem(e);return t?JSON.parse(t):{text:``}}function K(e,t){t.text||t.sent?sessionStorage.setItem(e,JSON.stringify(t)):sessionStorage.removeItem(e);for(let e of[...W])e()}function We(e){return[(0,L.useSyncExternalStore)(Ge,()=>G(e).text),(0,L.useCallback)(t=>K(e,{...G(e),text:t}),[e])]}function Ge(e){return W.add(e),()=>W.delete(e)}function Ke(e,t,n){let{sent:r}=G(e),i=r?.text===t?r.key:n();return K(e,{text:``,sent:{text:t,key:i}}),i}function qe(e,t){let n=G(e);K(e,{...n,text:n.text||t})}function Je(e,t){let n=G(e);K(e,{text:n.text===t?``:n.text})}function Ye(){for(let e of Object.keys(sessionStorage))e.startsWith(He)&&sessionStorage.removeItem(e)}var Xe=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null},i],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],storageKey:null}],storageKey:null},i],storageKey:null}]},params:{cacheID:`dd42d8db0226a61bceabc188dd86bbca`,id:null,metadata:{},name:`publishMutation`,operationKind:`mutation`,text:`mutation publishMutation(
  $input: PublishPostInput!
) {
  publishPost(input: $input) {
    feedEdge {
      cursor
      node {
        id
        ...PostCard_post
      }
    }
    userErrors {
      code
      message
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();Xe.hash=`233b0928672ca761592dd224964a63c7`;var Ze=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`likePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsLikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsLikeMutation`,selections:t},params:{cacheID:`5f5c16897aa502258d9192176fa5470e`,id:null,metadata:{},name:`PostMutationsLikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsLikeMutation(
  $input: PostIdInput!
) {
  payload: likePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Ze.hash=`dc5beafaa3a494073eed664b4213b5bb`;var Qe=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unlikePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnlikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnlikeMutation`,selections:t},params:{cacheID:`a451dbb9d5cac0527fe1a56f120c37ed`,id:null,metadata:{},name:`PostMutationsUnlikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnlikeMutation(
  $input: PostIdInput!
) {
  payload: unlikePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Qe.hash=`4acf0800e979777a9d20699309ed48bf`;var $e=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`favoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsFavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsFavoriteMutation`,selections:t},params:{cacheID:`cf604bd18f55b96dd44381b269b047b1`,id:null,metadata:{},name:`PostMutationsFavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsFavoriteMutation(
  $input: PostIdInput!
) {
  payload: favoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();$e.hash=`070dafa5c59f9ca7ef1744a7e0dc4ca6`;var et=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unfavoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnfavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnfavoriteMutation`,selections:t},params:{cacheID:`c7aac1c2d4db3acc4a72d6baca54d838`,id:null,metadata:{},name:`PostMutationsUnfavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnfavoriteMutation(
  $input: PostIdInput!
) {
  payload: unfavoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();et.hash=`79b49cf83f57b17e19a1f90a4a940357`;var tt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`EditPostPayload`,kind:`LinkedField`,name:`editPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsEditMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsEditMutation`,selections:t},params:{cacheID:`973476de504462afe3e18d27c943e77e`,id:null,metadata:{},name:`PostMutationsEditMutation`,operationKind:`mutation`,text:`mutation PostMutationsEditMutation(
  $input: EditPostInput!
) {
  editPost(input: $input) {
    post {
      id
      text
      editedAt
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();tt.hash=`e41a65eaca77822e4fc92c92b519c950`;var nt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`DeletePostPayload`,kind:`LinkedField`,name:`deletePost`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`deletedPostId`,storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsDeleteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsDeleteMutation`,selections:t},params:{cacheID:`850bb52c5c5cf07c4e6fce9ad4d87db2`,id:null,metadata:{},name:`PostMutationsDeleteMutation`,operationKind:`mutation`,text:`mutation PostMutationsDeleteMutation(
  $input: PostIdInput!
) {
  deletePost(input: $input) {
    deletedPostId
    userErrors {
      code
      message
    }
  }
}
`}}})();nt.hash=`6fb8a99b0ebfdf8dd05ff0326a094bbc`;var rt=Ze,it=Qe;function at({id:e,viewerHasLiked:t,counters:n}){let r=!t,i={id:e,viewerHasLiked:r,counters:{likes:n.likes+(r?1:-1)}};return{mutation:r?rt:it,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}var ot=$e,st=et;function ct({id:e,viewerHasFavorited:t,counters:n}){let r=!t,i={id:e,viewerHasFavorited:r,counters:{favorites:n.favorites+(r?1:-1)}};return{mutation:r?ot:st,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}function lt(e,t,n){return{mutation:tt,variables:{input:{postId:e,text:t}},optimisticResponse:{editPost:{post:{id:e,text:t,editedAt:n},userErrors:[]}}}}function ut(e){let t=t=>{t.delete(e.id),e.replyTo&&q(t,e.replyTo,`comments`,-1),e.repostOf&&q(t,e.repostOf,`reposts`,-1)};return{mutation:nt,variables:{input:{postId:e.id}},optimisticUpdater:t,updater:t}}function q(e,t,n,r){let i=e.get(t)?.getLinkedRecord(`counters`),a=i?.getValue(n);typeof a==`number`&&i?.setValue(Math.max(0,a+r),n)}var dt=`HomeTimeline_homeFeed`;function ft(e){let t=e.get(z.ROOT_ID)?.getLinkedRecord(`viewer`);return t?z.ConnectionHandler.getConnection(t,dt):void 0}var pt=Xe;function mt(e,t,n){return{mutation:pt,variables:{input:{...e,idempotencyKey:t}},optimisticUpdater:r=>{let i=n?r.get(n):null;i&&_t(r,gt(r,e,t,i),null,e,i)},updater:t=>{let r=t.getRootField(`publishPost`)?.getLinkedRecord(`feedEdge`),i=r?.getLinkedRecord(`node`),a=r?.getValue(`cursor`);i&&_t(t,i,typeof a==`string`?a:null,e,n?t.get(n)??null:null)}}}var ht=e=>e.startsWith(`pending:`);function gt(e,t,n,r){let i=e.create(`pending:${n}`,`Post`),a=e.create(`pending:${n}:counters`,`PostCounters`);for(let e of[`likes`,`comments`,`reposts`,`favorites`])a.setValue(0,e);let o={id:`pending:${n}`,databaseId:`0`,kind:vt(t),text:t.text,media:[],publishedAt:new Date().toISOString(),editedAt:null,viewerHasLiked:!1,viewerHasFavorited:!1};for(let[e,t]of Object.entries(o))i.setValue(t,e);i.setLinkedRecord(r,`author`),i.setLinkedRecord(a,`counters`);for(let n of[`replyTo`,`repostOf`]){let r=t[n]?e.get(t[n]):null;r?i.setLinkedRecord(r,n):i.setValue(null,n)}return i}function _t(e,t,n,r,i){let a=r.replyTo?e.get(r.replyTo):null,o=[ft(e),i&&z.ConnectionHandler.getConnection(i,`ProfilePosts_posts`),a&&z.ConnectionHandler.getConnection(a,`PostComments_comments`)];for(let r of o){if(!r)continue;let i=z.ConnectionHandler.createEdge(e,r,t,`FeedEdge`);i.setValue(r===o[0]?n:null,`cursor`),z.ConnectionHandler.insertEdgeBefore(r,i)}r.replyTo&&q(e,r.replyTo,`comments`,1),r.repostOf&&q(e,r.repostOf,`reposts`,1)}function vt(e){return e.replyTo?`COMMENT`:e.repostOf?`REPOST`:`POST`}function yt(){return[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,`0`)).join(``)}var bt=5e3,xt=200;function St({label:e,value:t,placeholder:n,autoFocus:r=!1,onChange:i,onSend:a}){let o=(0,L.useRef)(null),s=(0,L.useId)();(0,L.useEffect)(()=>{let e=o.current;e&&(e.style.height=`auto`,e.style.height=`${e.scrollHeight}px`)},[t]),(0,L.useEffect)(()=>{let e=o.current;r&&e&&(e.focus(),e.setSelectionRange(e.value.length,e.value.length))},[r]);let c=bt-O(t);return(0,H.jsxs)(`div`,{className:`text-field`,children:[(0,H.jsx)(`textarea`,{ref:o,rows:1,dir:`auto`,"aria-label":e,"aria-describedby":s,"aria-invalid":c<0,placeholder:n,value:t,onChange:e=>i(e.target.value),onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&(e.preventDefault(),a())}}),(0,H.jsx)(`span`,{id:s,className:c<0?`left left-over`:`left`,role:`status`,children:c<0?`${-c} too many`:c<=xt?`${c} left`:``})]})}function Ct({draft:e,autoFocus:t=!1,onSent:n}){let{session:r}=w(),i=Ue(r.user?.id??``,e),[a,o]=We(i),{account:s}=D(),c=N(),l=O(a)<=5e3&&(a.trim()!==``||e.repostOf!==void 0),u=wt(e),d=async()=>{if(!l)return;let t=Ke(i,a,yt),{about:r,...o}=e;n?.(),await c(mt({...o,text:a},t,s?.id??null),`Not published`,()=>Je(i,a))||qe(i,a)};return(0,H.jsxs)(`form`,{className:`composer`,"aria-label":u.label,onSubmit:e=>{e.preventDefault(),d()},children:[s?(0,H.jsx)(M,{user:s}):(0,H.jsx)(`span`,{className:`avatar`}),(0,H.jsxs)(`div`,{className:`composer-main`,children:[e.about&&(0,H.jsxs)(`blockquote`,{className:`quoted`,children:[(0,H.jsxs)(`p`,{className:`post-by`,children:[(0,H.jsx)(`strong`,{dir:`auto`,children:e.about.name}),` `,(0,H.jsxs)(`span`,{className:`post-handle`,children:[`@`,e.about.handle]})]}),(0,H.jsx)(`p`,{className:`post-text composer-about`,dir:`auto`,children:e.about.text})]}),(0,H.jsx)(St,{label:u.label,placeholder:u.placeholder,value:a,onChange:o,onSend:()=>void d(),autoFocus:t}),(0,H.jsxs)(`div`,{className:`composer-foot`,children:[(0,H.jsx)(`small`,{className:`composer-hint`,children:`Ctrl + Enter sends`}),(0,H.jsx)(`button`,{type:`submit`,className:`button button-primary`,"aria-disabled":!l,children:u.button})]})]})]})}function wt(e){return e.replyTo?{label:`Your reply`,placeholder:`Write a reply`,button:`Reply`}:e.repostOf?{label:`Your words on it`,placeholder:`Say something about it`,button:`Repost`}:{label:`New post`,placeholder:`What washed up today?`,button:`Post`}}function Tt(){let{session:e,expired:t,change:n}=w(),[r,i]=(0,L.useState)(``),[a,o]=(0,L.useState)(!1),s=pe(location.search,location.href),l=async e=>{if(!a){o(!0),i(``);try{let t=await c(e);s&&t.admin?location.assign(s):n(t)}catch(e){i(Et(e)),o(!1)}}};return(0,H.jsxs)(`section`,{className:`sign-in`,"aria-labelledby":`sign-in-title`,"aria-busy":a,children:[(0,H.jsx)(`h2`,{id:`sign-in-title`,children:`Sign in`}),t&&(0,H.jsx)(`p`,{className:`note`,role:`status`,children:`Your sign-in has expired. What you were writing is kept for when you are back.`}),s&&(0,H.jsx)(`p`,{className:`note`,role:`status`,children:Dt(new URL(s,location.href).pathname,e)}),r&&(0,H.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:r}),e.demoUsers.length>0&&(0,H.jsx)(Ot,{users:e.demoUsers,onChoose:e=>void l({demoUserId:e})}),e.demoLink&&(0,H.jsx)(`p`,{className:`note`,children:`To sign in as a demo user, open the demo link that the server has printed where it was started.`}),(0,H.jsx)(kt,{onToken:e=>void l({token:e})})]})}function Et(e){if(e instanceof g&&e.code!==`UNREACHABLE`)return`That did not work: ${ee(e.message)}`;let{title:t,help:n}=S(e);return`That did not work: ${t.toLowerCase()}. ${n}`}function Dt(e,{user:t}){return t?`${e} is for administrators, and @${t.handle} is none. Sign in with the token of one.`:`${e} is for administrators: sign in as one to open it.`}function Ot({users:e,onChoose:t}){return(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(`h3`,{id:`demo-title`,children:`As a demo user`}),(0,H.jsx)(`p`,{className:`hint`,children:`Without a password. Only browsers that opened the demo link see this list.`}),(0,H.jsx)(`ul`,{className:`demo-users`,"aria-labelledby":`demo-title`,children:e.map(e=>(0,H.jsx)(`li`,{children:(0,H.jsxs)(`button`,{type:`button`,className:`demo-user`,onClick:()=>t(e.id),children:[(0,H.jsx)(M,{user:{databaseId:e.id,name:e.name||e.handle}}),(0,H.jsxs)(`span`,{className:`person-words`,children:[(0,H.jsx)(`strong`,{children:e.name||e.handle}),` `,(0,H.jsxs)(`span`,{children:[`@`,e.handle]})]})]})},e.id))})]})}function kt({onToken:e}){let t=(0,L.useRef)(null);return(0,H.jsxs)(`form`,{className:`token-form`,onSubmit:n=>{n.preventDefault();let r=t.current?.value.trim();r&&e(r)},children:[(0,H.jsx)(`h3`,{children:(0,H.jsx)(`label`,{htmlFor:`token`,children:`With a token`})}),(0,H.jsxs)(`p`,{className:`hint`,id:`token-hint`,children:[`Make one with `,(0,H.jsx)(`code`,{children:`tideline token --user 1`}),`, and add `,(0,H.jsx)(`code`,{children:`--admin`}),` to open the task queues.`]}),(0,H.jsxs)(`div`,{className:`token-row`,children:[(0,H.jsx)(E,{name:`key`}),(0,H.jsx)(`input`,{ref:t,id:`token`,type:`password`,autoComplete:`off`,autoCapitalize:`off`,spellCheck:!1,required:!0,"aria-describedby":`token-hint`}),(0,H.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:`Sign in`})]})]})}var At=[[`j`,`Next post`],[`k`,`Previous post`],[`Enter`,`Open the post`],[`n`,`Write a post`],[`r`,`Reply to the post`],[`l`,`Like the post`],[`f`,`Make the post a favorite`],[`.`,`Show new posts`],[`/`,`Search for people`],[`h`,`Go home`],[`?`,`Show this help`]];function jt(e){if(e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey||document.querySelector(`dialog[open]`))return!1;let t=e.target;return t.closest(`dialog:not([open])`)!==null||!t.closest(`input, textarea, select, [contenteditable], [role=menu]`)}function J(e,t){let n=(0,L.useRef)(t);(0,L.useEffect)(()=>{n.current=t}),(0,L.useEffect)(()=>{let t=t=>{t.key===e&&jt(t)&&(t.preventDefault(),n.current())};return addEventListener(`keydown`,t),()=>removeEventListener(`keydown`,t)},[e])}function Mt(){return document.activeElement?.closest(`article[data-post]`)??null}function Nt(){return(0,H.jsx)(`dl`,{className:`keys`,children:At.map(([e,t])=>(0,H.jsxs)(`div`,{children:[(0,H.jsx)(`dt`,{children:(0,H.jsx)(`kbd`,{children:e})}),(0,H.jsx)(`dd`,{children:t})]},e))})}function Pt({children:e}){let[t,n]=(0,L.useState)(null),{session:r}=w(),i=Lt(r.user!==null),a=r.user!==null,o=(0,L.useCallback)(e=>n(t=>({...e,turn:(t?.turn??0)+1})),[]),s=(0,L.useMemo)(()=>{let e=e=>a?e():o({dialog:`sign-in`});return{signedIn:e,account:i,compose:t=>e(()=>o({dialog:`compose`,draft:t}))}},[a,i,o]),c=()=>n(e=>e?.turn===t?.turn?null:e);return It(s,()=>o({dialog:`help`})),(0,H.jsxs)(ue,{value:s,children:[e,t?.dialog===`compose`&&(0,H.jsx)(U,{title:Ft(t.draft),onClose:c,children:(0,H.jsx)(Ct,{draft:t.draft,autoFocus:!0,onSent:c})},t.turn),t?.dialog===`sign-in`&&(0,H.jsx)(U,{title:`You need to be signed in`,onClose:c,children:(0,H.jsx)(Tt,{})},t.turn),t?.dialog===`help`&&(0,H.jsx)(U,{title:`Keys`,onClose:c,children:(0,H.jsx)(Nt,{})},t.turn)]})}function Ft(e){return e.replyTo?`Reply`:e.repostOf?`Repost with words`:`New post`}function It(e,t){let n=e=>Mt()?.querySelector(`[data-action=${e}]`)?.click();J(`n`,()=>e.compose({text:``})),J(`r`,()=>n(`reply`)),J(`l`,()=>n(`like`)),J(`f`,()=>n(`favorite`)),J(`/`,()=>I(`/search`)),J(`h`,()=>I(`/`)),J(`?`,t)}function Lt(e){let t=(0,R.useRelayEnvironment)(),[n,r]=(0,L.useState)(null);return(0,L.useEffect)(()=>{if(!e)return;let{unsubscribe:n}=(0,R.fetchQuery)(t,Be,{}).subscribe({next:e=>r(e?.viewer?.user??null),error:()=>void 0});return n},[t,e]),n}var Y=`tideline-home`,Rt=zt();function zt(){let e=sessionStorage.getItem(Y);return sessionStorage.removeItem(Y),e?JSON.parse(e):null}function Bt(e,t){t===null?sessionStorage.removeItem(Y):sessionStorage.setItem(Y,JSON.stringify({place:e,after:t}))}function Vt(e){return Rt?.place===e?Rt.after:null}var Ht=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`before`,variableName:`before`},{kind:`Variable`,name:`first`,variableName:`first`},{kind:`Variable`,name:`last`,variableName:`last`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[n,r,i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,r,s,c,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[n,a,o,i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`5ac7c32d2e341d4d42c9aeafd3146fb5`,id:null,metadata:{},name:`HomeTimelinePageQuery`,operationKind:`query`,text:`query HomeTimelinePageQuery(
  $after: String
  $before: String
  $first: Int
  $last: Int
) {
  viewer {
    ...HomeTimeline_viewer_pbnwq
  }
}

fragment HomeTimeline_viewer_pbnwq on Viewer {
  homeFeed(first: $first, after: $after, last: $last, before: $before) {
    edges {
      cursor
      node {
        id
        databaseId
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();Ht.hash=`9634f1656418834cc9e489a74e53f0b0`;var Ut=(function(){var e=[`homeFeed`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],kind:`Fragment`,metadata:{connection:[{count:null,cursor:null,direction:`bidirectional`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:{count:`last`,cursor:`before`},path:e},fragmentPathInResult:[`viewer`],operation:Ht}},name:`HomeTimeline_viewer`,selections:[{alias:`homeFeed`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__HomeTimeline_homeFeed_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})();Ut.hash=`9634f1656418834cc9e489a74e53f0b0`;var Wt=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`after`},t={defaultValue:null,kind:`LocalArgument`,name:`first`},n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,a,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,i,c,l,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,o,s,a,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`e686395c0321fc681f45bd00985b1d5e`,id:null,metadata:{},name:`homeQuery`,operationKind:`query`,text:`query homeQuery(
  $first: Int!
  $after: String
) {
  viewer {
    ...HomeTimeline_viewer_2HEEH6
  }
}

fragment HomeTimeline_viewer_2HEEH6 on Viewer {
  homeFeed(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        databaseId
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();Wt.hash=`0aef914fe6768d6b3d0a9aee888e75ca`;var Gt=Wt,Kt=3;function qt({count:e,authors:t,busy:n,onClick:r}){return(0,L.useEffect)(()=>{document.title=e>0?`(${e}) Home · Tideline`:`Home · Tideline`},[e]),(0,H.jsxs)(`div`,{className:`pill-place`,children:[(0,H.jsx)(`span`,{className:`hidden`,role:`status`,children:e>0?Se(e):``}),e>0&&(0,H.jsxs)(`button`,{type:`button`,className:`pill`,"aria-busy":n,onClick:r,children:[(0,H.jsx)(E,{name:`up`}),t.length>0&&(0,H.jsx)(`span`,{className:`pill-faces`,"aria-hidden":`true`,children:t.slice(0,Kt).map(e=>(0,H.jsx)(M,{user:e,size:`small`},e.databaseId))}),Se(e)]})]})}function Jt(e,t,n){let r=n=>t.heights.get(e[n])??t.estimate,i=t.anchor?e.indexOf(t.anchor.key):-1,a=Math.max(i,0),o=i>=0?t.anchor.offset:0,s=a;for(let e=o;s>0&&e>-1*n;)e-=r(--s);let c=a;for(let t=o;c<e.length&&t<2*n;)t+=r(c++);let l=(e,t)=>{let n=0;for(let i=e;i<t;i++)n+=r(i);return n};return{start:s,end:c,before:l(0,s),after:l(c,e.length)}}var Yt=20,X=new Map;function Xt(e,t,n){let r=`${e} ${t}`,i=X.get(r)??{heights:new Map,estimate:n,anchor:null,focused:null};X.delete(r),X.set(r,i);for(let e of X.keys()){if(X.size<=Yt)break;X.delete(e)}return i}var Zt=6;function Qt(e){let{items:t,keyOf:n,render:r,memory:i,moreAbove:a=!1,onNearTop:o,onNearEnd:s}=e,c=(0,L.useRef)(null),l=t.map(n),u=Jt(l,i,innerHeight),d=$t(c,{keys:l,range:u,memory:i,moreAbove:a});return en(e.ref,c,l,i,d),tn(c,i,e.returned??!1),(0,L.useEffect)(()=>{u.end>=l.length-Zt&&s?.(),u.start<=Zt&&o?.()}),(0,H.jsx)(`div`,{ref:c,className:`window-list`,role:`feed`,"aria-label":e.label,"aria-busy":e.busy??!1,onFocus:()=>i.focused=an(c.current)??null,style:{paddingTop:u.before,paddingBottom:u.after},children:t.slice(u.start,u.end).map((e,t)=>(0,H.jsx)(`div`,{"data-key":l[u.start+t],className:`window-item`,children:r(e,u.start+t)},l[u.start+t]))})}function $t(e,t){let[,n]=(0,L.useReducer)(e=>e+1,0),{memory:r}=t,i=(0,L.useRef)(t);return(0,L.useLayoutEffect)(()=>{i.current=t,nn(e.current,r)}),(0,L.useEffect)(()=>{let t=()=>{if(!e.current)return;let{keys:t,range:a,moreAbove:o}=i.current;r.anchor=rn(e.current,t,r,o);let s=Jt(t,r,innerHeight);(s.start!==a.start||s.end!==a.end)&&n()},a=new ResizeObserver(()=>nn(e.current,r));return e.current&&a.observe(e.current),addEventListener(`scroll`,t,{passive:!0}),addEventListener(`resize`,t),()=>{a.disconnect(),removeEventListener(`scroll`,t),removeEventListener(`resize`,t)}},[e,r]),n}function en(e,t,n,r,i){let a=(0,L.useRef)(null);(0,L.useLayoutEffect)(()=>{a.current!==null&&sn(t.current,a.current)&&(a.current=null)}),(0,L.useImperativeHandle)(e,()=>({move(e){let o=n.indexOf(an(t.current)??``),s=o>=0?o+e:Math.max(0,n.indexOf(r.anchor?.key??``)),c=n[Math.min(Math.max(s,0),n.length-1)];c===void 0||sn(t.current,c)||(a.current=c,r.anchor={key:c,offset:innerHeight/3},i())},toTop(){r.anchor=null,i(),scrollTo({top:0})}}))}function tn(e,t,n){let r=(0,L.useRef)(!0);(0,L.useLayoutEffect)(()=>{if(!r.current)return;r.current=!1;let i=document.activeElement?.closest(`main *, dialog, input, button, a`);n&&!i&&t.focused!==null&&on(e.current,t.focused)?.focus({preventScroll:!0})})}var Z=e=>[...e.children];function nn(e,t){if(!e)return;for(let n of Z(e)){let{key:e}=n.dataset,{height:r}=n.getBoundingClientRect();e!==void 0&&r>0&&t.heights.set(e,r)}let{anchor:n}=t,r=n&&Z(e).find(e=>e.dataset.key===n.key);if(!r)return;let i=r.getBoundingClientRect().top-n.offset;Math.abs(i)>=1&&scrollBy({top:i,behavior:`instant`})}function rn(e,t,n,r){let{top:i}=e.getBoundingClientRect();if(i>=0&&!r)return null;for(let t of Z(e)){let e=t.getBoundingClientRect(),{key:n}=t.dataset;if(e.bottom>0&&e.top<innerHeight&&n!==void 0)return{key:n,offset:e.top}}let a=i;for(let e of t){let t=n.heights.get(e)??n.estimate;if(a+t>0)return{key:e,offset:a};a+=t}return null}function an(e){let t=document.activeElement?.closest(`.window-item`);return t&&e?.contains(t)?t.dataset.key:void 0}function on(e,t){return(e&&Z(e).find(e=>e.dataset.key===t))?.querySelector(`article`)??null}function sn(e,t){let n=on(e,t);return n?(n.focus({preventScroll:!0}),n.scrollIntoView({block:`nearest`}),!0):!1}var cn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_post`,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},t,n],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[t,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[e,{args:null,kind:`FragmentSpread`,name:`PostCard_quoted`}],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostActions_post`},{args:null,kind:`FragmentSpread`,name:`PostMenu_post`}],type:`Post`,abstractKey:null}})();cn.hash=`aeae1b40a2a58bc4aeec71e73a9d06d1`;var ln={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_quoted`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],type:`Post`,abstractKey:null};ln.hash=`a62375c7d23d08bbedf7eef86aafc2a1`;function un({text:e}){return fe(e).map((e,t)=>{switch(e.kind){case`link`:return(0,H.jsx)(`a`,{href:e.href,target:`_blank`,rel:`noreferrer nofollow`,children:ae(e.href)+(e.text.length>40?`/…`:e.text.replace(/^https?:\/\/[^/]+/,``))},t);case`mention`:return(0,H.jsx)(P,{href:k(e.handle),children:e.text},t);default:return e.text}})}function dn({postId:e,text:t,onDone:n}){let[r,i]=(0,L.useState)(t),a=N(),o=()=>{O(r)>5e3||(n(),r!==t&&a(lt(e,r,new Date().toISOString()),`Not changed`))};return(0,H.jsxs)(`form`,{className:`edit`,onSubmit:e=>{e.preventDefault(),o()},onKeyDown:e=>e.key===`Escape`&&n(),children:[(0,H.jsx)(St,{label:`Text of the post`,value:r,onChange:i,onSend:o,autoFocus:!0}),(0,H.jsxs)(`div`,{className:`edit-foot`,children:[(0,H.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:n,children:`Cancel`}),(0,H.jsx)(`button`,{type:`submit`,className:`button button-small button-primary`,children:`Save`})]})]})}var fn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostActions_post`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],type:`Post`,abstractKey:null};fn.hash=`9de827b1f6d2fdfdb6dd61a461e0cc51`;var pn=80;function mn(e){let[t,n]=(0,L.useState)(!1),r=(0,L.useRef)(null),i=(0,L.useRef)(null),a=(0,L.useRef)(null);(0,L.useEffect)(()=>{if(!t)return;let e=a.current;e&&e.getBoundingClientRect().bottom>innerHeight-pn&&e.classList.add(`menu-up`),e?.querySelector(`[role=menuitem]`)?.focus({preventScroll:!0});let i=e=>{r.current?.contains(e.target)||n(!1)};return addEventListener(`pointerdown`,i),()=>removeEventListener(`pointerdown`,i)},[t]);let o=()=>{n(!1),i.current?.focus()};return(0,H.jsxs)(`div`,{ref:r,className:`menu-box`,children:[(0,H.jsx)(`button`,{ref:i,type:`button`,className:e.className??`icon-button`,"aria-haspopup":`menu`,"aria-expanded":t,"aria-label":e.label,onClick:()=>n(!t),children:e.children}),t&&(0,H.jsx)(`div`,{ref:a,className:`menu`,role:`menu`,"aria-label":e.label,tabIndex:-1,onKeyDown:e=>hn(e,a.current,o),children:e.items.map(e=>(0,H.jsxs)(`button`,{type:`button`,role:`menuitem`,tabIndex:-1,className:e.danger?`menu-item menu-danger`:`menu-item`,onClick:()=>{o(),e.run()},children:[(0,H.jsx)(`span`,{children:e.label}),e.hint&&(0,H.jsx)(`small`,{children:e.hint})]},e.label))})]})}function hn(e,t,n){let r=[...t?.querySelectorAll(`[role=menuitem]`)??[]],i=r.indexOf(document.activeElement),a={ArrowDown:i+1,ArrowUp:i-1,Home:0,End:r.length-1}[e.key];if(a!==void 0)r.at(a%r.length)?.focus();else if(e.key===`Escape`||e.key===`Tab`)n();else return;e.preventDefault(),e.stopPropagation()}function gn({post:e}){let t=(0,R.useFragment)(fn,e),{compose:n,signedIn:r,account:i}=D(),a=N(),o={name:t.author.name,handle:t.author.handle,text:t.text},{counters:s}=t;return(0,H.jsxs)(`div`,{className:`actions`,role:`group`,"aria-label":`Actions`,children:[(0,H.jsxs)(`button`,{type:`button`,className:`action`,"data-action":`reply`,"aria-label":`Reply, ${b(s.comments,`reply`,`replies`)}`,onClick:()=>n({text:``,replyTo:t.id,about:o}),children:[(0,H.jsx)(E,{name:`reply`}),` `,(0,H.jsx)(vn,{of:s.comments})]}),(0,H.jsxs)(mn,{label:`Repost, ${b(s.reposts,`repost`)}`,className:`action`,items:[{label:`Repost`,hint:`Show it to your followers`,run:()=>r(()=>void a(mt({text:``,repostOf:t.id},yt(),i?.id??null),`Not reposted`))},{label:`Repost with words`,hint:`Say something about it`,run:()=>n({text:``,repostOf:t.id,about:o})}],children:[(0,H.jsx)(E,{name:`repost`}),` `,(0,H.jsx)(vn,{of:s.reposts})]}),(0,H.jsx)(_n,{name:`like`,icon:`like`,label:`Like`,on:t.viewerHasLiked,count:s.likes,one:`like`,onClick:()=>r(()=>void a(at(t),t.viewerHasLiked?`Still liked`:`Not liked`))}),(0,H.jsx)(_n,{name:`favorite`,icon:`favorite`,label:`Favorite`,on:t.viewerHasFavorited,count:s.favorites,one:`favorite`,onClick:()=>r(()=>void a(ct(t),t.viewerHasFavorited?`Still a favorite`:`Not made a favorite`))})]})}function _n({name:e,icon:t,label:n,on:r,count:i,one:a,onClick:o}){return(0,H.jsxs)(`button`,{type:`button`,className:`action action-${e}`,"data-action":e,"aria-pressed":r,"aria-label":`${n}, ${b(i,a)}`,onClick:o,children:[(0,H.jsx)(E,{name:t,filled:r}),` `,(0,H.jsx)(vn,{of:i})]})}function vn({of:e}){return(0,H.jsx)(`span`,{className:`count`,children:e>0?p(e):``})}var yn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t=[e];return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostMenu_post`,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:t,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:t,storageKey:null}],type:`Post`,abstractKey:null}})();yn.hash=`5c2bf0e4cc86ef3b49a04a38ada31d85`;var bn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`useRelations_user`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],type:`User`,abstractKey:null};bn.hash=`cc6d4c9048100559422c455c97249aad`;var xn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`followUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationFollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationFollowMutation`,selections:t},params:{cacheID:`d82025c4af432cf7dfdc84680b4d2ac9`,id:null,metadata:{},name:`relationFollowMutation`,operationKind:`mutation`,text:`mutation relationFollowMutation(
  $input: UserIdInput!
) {
  payload: followUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();xn.hash=`9d54221965ca0288f1a84647c72d4364`;var Sn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unfollowUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnfollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnfollowMutation`,selections:t},params:{cacheID:`ba78124df60748a9a0aea5b3cf163f5c`,id:null,metadata:{},name:`relationUnfollowMutation`,operationKind:`mutation`,text:`mutation relationUnfollowMutation(
  $input: UserIdInput!
) {
  payload: unfollowUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Sn.hash=`de1665415316fec067867515ef62479f`;var Cn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`muteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationMuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationMuteMutation`,selections:t},params:{cacheID:`359baa413f8d2557a9667bd9310b2704`,id:null,metadata:{},name:`relationMuteMutation`,operationKind:`mutation`,text:`mutation relationMuteMutation(
  $input: UserIdInput!
) {
  payload: muteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Cn.hash=`c53e2783a4b69296cf3d3947b3e96edb`;var wn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unmuteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnmuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnmuteMutation`,selections:t},params:{cacheID:`8b1c8b99a58e93446535564b835a07c0`,id:null,metadata:{},name:`relationUnmuteMutation`,operationKind:`mutation`,text:`mutation relationUnmuteMutation(
  $input: UserIdInput!
) {
  payload: unmuteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();wn.hash=`a4954af8767c71a8291b3d2800807af9`;var Tn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`hideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationHideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationHideMutation`,selections:t},params:{cacheID:`82c6b935c43f2ace1b8da2f7b38f813e`,id:null,metadata:{},name:`relationHideMutation`,operationKind:`mutation`,text:`mutation relationHideMutation(
  $input: UserIdInput!
) {
  payload: hideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Tn.hash=`113eb6f87f516bee3c420d581a14ff56`;var En=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unhideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnhideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnhideMutation`,selections:t},params:{cacheID:`89b60f9f69aabdcb2dee807c1a760671`,id:null,metadata:{},name:`relationUnhideMutation`,operationKind:`mutation`,text:`mutation relationUnhideMutation(
  $input: UserIdInput!
) {
  payload: unhideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();En.hash=`65ca586a2bba70c98385b9d12c90604f`;var Dn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`blockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationBlockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationBlockMutation`,selections:t},params:{cacheID:`ad4ede9c1d56aff8892d721c2da7b0d5`,id:null,metadata:{},name:`relationBlockMutation`,operationKind:`mutation`,text:`mutation relationBlockMutation(
  $input: UserIdInput!
) {
  payload: blockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Dn.hash=`83c739d2c1821efd7c7dbab04b43e870`;var On=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unblockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnblockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnblockMutation`,selections:t},params:{cacheID:`1caa1bd1927fac962e99b7c4133148de`,id:null,metadata:{},name:`relationUnblockMutation`,operationKind:`mutation`,text:`mutation relationUnblockMutation(
  $input: UserIdInput!
) {
  payload: unblockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();On.hash=`dd97e14971391fb593847eb855f28a76`;var kn={follow:`viewerFollows`,mute:`viewerMutes`,hide:`viewerHidesFrom`,block:`viewerBlocks`},An={follow:[xn,Sn],mute:[Cn,wn],hide:[Tn,En],block:[Dn,On]};function jn(e,t){let n=!t[kn[e]];return{mutation:An[e][+!n],variables:{input:{userId:t.id}},optimisticUpdater:r=>{let i=r.get(t.id);i?.setValue(n,kn[e]),e===`follow`&&i?.getLinkedRecord(`counters`)?.setValue(t.counters.followers+(n?1:-1),`followers`),Mn(e,n)&&Nn(r,t.id)},updater:r=>{e===`block`&&r.get(t.id)?.invalidateRecord(),Mn(e,n)?Nn(r,t.id):Pn(r)}}}function Mn(e,t){return e===`follow`?!t:e!==`hide`&&t}function Nn(e,t){let n=ft(e),r=n?.getLinkedRecords(`edges`);if(!n||!r)return;let i=r.filter(e=>{let n=e?.getLinkedRecord(`node`);return![n,n?.getLinkedRecord(`repostOf`)].map(e=>e?.getLinkedRecord(`author`)?.getDataID()).includes(t)});n.setLinkedRecords(i,`edges`)}function Pn(e){e.get(z.ROOT_ID)?.getLinkedRecord(`viewer`)?.invalidateRecord()}var Fn={follow:{on:`Follow`,off:`Unfollow`,hint:`Posts stand in your home feed`,done:`You follow`,undone:`You no longer follow`},mute:{on:`Mute`,off:`Unmute`,hint:`Keeps posts out of your home feed; nobody is told`,done:`Muted`,undone:`No longer muted`},hide:{on:`Hide from`,off:`Stop hiding from`,hint:`Shows your posts to everyone else`,done:`Your posts are hidden from`,undone:`Your posts are shown again to`},block:{on:`Block`,off:`Unblock`,hint:`Neither sees the other’s posts`,done:`Blocked`,undone:`No longer blocked`,danger:!0}};function In(e){let t=(0,R.useFragment)(bn,e),n=N(),r=T();return Object.keys(Fn).map(e=>{let i=Fn[e],a=t[kn[e]],o=`${a?i.off:i.on} @${t.handle}`,s=async()=>{await n(jn(e,t),`Not done: ${o.toLowerCase()}`)&&r.show({tone:`good`,title:`${a?i.undone:i.done} @${t.handle}`})};return{relation:e,on:a,label:o,run:()=>void s(),...!a&&{hint:i.hint},...i.danger&&!a&&{danger:!0}}})}function Ln({post:e,own:t,alone:n,onEdit:r}){let i=(0,R.useFragment)(yn,e),[a,o]=(0,L.useState)(!1),{signedIn:s}=D(),c=T(),l=N(),u=In(i.author),d=()=>{let e=new URL(j(i.id),location.href).href;navigator.clipboard?.writeText(e).then(()=>c.show({tone:`good`,title:`Link copied`}),()=>c.show({tone:`bad`,title:`The link could not be copied`,text:e}))},f=async()=>{let e=ut({id:i.id,replyTo:i.replyTo?.id??null,repostOf:i.repostOf?.id??null});n&&ce(`/`),await l(e,`Not deleted`)&&c.show({tone:`good`,title:`Deleted`})},p=[...t?[{label:`Edit`,run:r},{label:`Delete`,danger:!0,run:()=>o(!0)}]:u.map(e=>({...e,run:()=>s(e.run)})),{label:`Copy link`,run:d}];return(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(mn,{label:`More on this post by @${i.author.handle}`,items:p,children:(0,H.jsx)(E,{name:`more`})}),a&&(0,H.jsx)(Ve,{title:`Delete this post?`,text:`It leaves every feed at once, and cannot be brought back.`,yes:`Delete`,onYes:()=>void f(),onClose:()=>o(!1)})]})}function Rn({post:e,position:t,total:n,alone:r=!1}){let i=(0,R.useFragment)(cn,e),{session:a}=w(),[o,s]=(0,L.useState)(!1),c=ht(i.id),l=a.user?.id===i.author.databaseId,u=()=>!r&&!c&&I(j(i.id)),d=`${i.id}-author ${i.id}-text`;return(0,H.jsxs)(`article`,{className:`post${r?` post-alone`:``}${c?` post-pending`:``}`,tabIndex:0,"data-post":i.id,"aria-labelledby":d,"aria-posinset":t,"aria-setsize":n,"aria-busy":c,onClick:e=>Bn(e)&&u(),onKeyDown:e=>e.key===`Enter`&&e.target===e.currentTarget&&u(),children:[(0,H.jsx)(P,{href:k(i.author.handle),className:`post-face`,tabIndex:-1,"aria-hidden":`true`,children:(0,H.jsx)(M,{user:i.author})}),(0,H.jsxs)(`div`,{className:`post-main`,children:[(0,H.jsx)(zn,{post:i,alone:r,pending:c}),(0,H.jsxs)(`div`,{id:`${i.id}-text`,children:[o?(0,H.jsx)(dn,{postId:i.id,text:i.text,onDone:()=>s(!1)}):(0,H.jsx)(Hn,{of:i.text}),(0,H.jsx)(Wn,{urls:i.media}),i.repostOf?(0,H.jsx)(Vn,{post:i.repostOf}):i.kind===`REPOST`&&(0,H.jsx)(Un,{})]}),!c&&(0,H.jsxs)(`footer`,{className:`post-foot`,children:[(0,H.jsx)(gn,{post:i}),(0,H.jsx)(Ln,{post:i,own:l,alone:r,onEdit:()=>s(!0)})]})]})]})}function zn({post:e,alone:t,pending:n}){let{author:r}=e;return(0,H.jsxs)(`header`,{className:`post-head`,children:[(0,H.jsxs)(`span`,{id:`${e.id}-author`,className:`post-by`,children:[(0,H.jsx)(P,{href:k(r.handle),className:`post-name`,dir:`auto`,children:r.name}),` `,(0,H.jsxs)(`span`,{className:`post-handle`,children:[`@`,r.handle]}),e.kind===`REPOST`&&(0,H.jsxs)(`span`,{className:`post-note`,children:[` `,(0,H.jsx)(E,{name:`repost`}),` reposted`]})]}),(0,H.jsxs)(`span`,{className:`post-time`,children:[n?`Sending…`:(0,H.jsx)(P,{href:j(e.id),className:`quiet-link`,children:(0,H.jsx)(oe,{moment:e.publishedAt})}),e.editedAt&&(0,H.jsx)(`span`,{title:`Edited ${new Date(e.editedAt).toLocaleString()}`,children:` · edited`})]}),e.replyTo&&!t&&(0,H.jsxs)(P,{href:j(e.replyTo.id),className:`post-context quiet-link`,children:[(0,H.jsx)(E,{name:`reply`}),` in answer to @`,e.replyTo.author.handle]})]})}function Bn(e){return!e.target.closest(`a, button, input, textarea, [role=menu], dialog`)&&!getSelection()?.toString()}function Vn({post:e}){let t=(0,R.useFragment)(ln,e);return(0,H.jsxs)(`div`,{className:`quoted`,children:[(0,H.jsxs)(`p`,{className:`post-by`,children:[(0,H.jsx)(M,{user:t.author,size:`small`}),(0,H.jsx)(P,{href:k(t.author.handle),className:`post-name`,dir:`auto`,children:t.author.name}),` `,(0,H.jsxs)(`span`,{className:`post-handle`,children:[`@`,t.author.handle]}),(0,H.jsx)(P,{href:j(t.id),className:`quiet-link post-time`,children:(0,H.jsx)(oe,{moment:t.publishedAt})})]}),(0,H.jsx)(Hn,{of:t.text}),(0,H.jsx)(Wn,{urls:t.media})]})}function Hn({of:e}){return e&&(0,H.jsx)(`p`,{className:`post-text`,dir:`auto`,children:(0,H.jsx)(un,{text:e})})}function Un(){return(0,H.jsx)(`p`,{className:`quoted quoted-gone`,children:`What was shown here is not there any more.`})}function Wn({urls:e}){return e.length?(0,H.jsx)(`ul`,{className:`media`,"aria-label":`Media`,children:e.map((e,t)=>(0,H.jsx)(`li`,{children:(0,H.jsxs)(`a`,{href:e,target:`_blank`,rel:`noreferrer nofollow`,children:[(0,H.jsx)(E,{name:`picture`}),` `,(0,H.jsx)(`span`,{children:ae(e)}),(0,H.jsx)(`span`,{className:`hidden`,children:`opens elsewhere`})]})},t))}):null}var Gn=150;function Kn(e){let{edges:t,hasNext:n,loadNext:r,loadingNext:i,above:a,line:o}=e,[s,c]=(0,L.useState)(null),[l]=(0,L.useState)(()=>{let n=Xt(A.get().key,e.label,Gn);return a?.more&&t[0]&&(n.anchor??={key:t[0].node.id,offset:0}),n}),[u]=(0,L.useState)(()=>A.get().returned),d=()=>{!i&&n&&(c(null),r(20,{onComplete:c}))};return!t.length&&!n?e.empty:(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(Qt,{ref:e.ref,label:e.label,items:t,keyOf:e=>e.node.id,memory:l,returned:u,busy:i||(a?.loading??!1),moreAbove:a?.more??!1,onNearEnd:()=>s||d(),...a&&{onNearTop:()=>a.more&&a.load()},render:(e,r)=>(0,H.jsxs)(H.Fragment,{children:[o&&o.before===e.node.id&&r>0&&(0,H.jsx)(qn,{text:o.text}),(0,H.jsx)(Rn,{post:e.node,position:r+1,total:n?-1:t.length})]})}),(0,H.jsx)(y,{loading:i,failure:s,hasMore:n,retry:d,end:e.end})]})}function qn({text:e}){return(0,H.jsxs)(`div`,{className:`tide-line`,role:`separator`,"aria-label":e,children:[(0,H.jsx)(`svg`,{viewBox:`0 0 600 14`,preserveAspectRatio:`none`,"aria-hidden":`true`,children:(0,H.jsx)(`path`,{d:`M0 7c12.5-8 25-8 37.5 0s25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0`})}),(0,H.jsx)(`span`,{"aria-hidden":`true`,children:e})]})}var Jn=x({posts:[],counted:0});function Yn(e,t,n){let r=(0,R.useRelayEnvironment)(),i=ne(),{posts:o,counted:s}=a(i?.state??Jn),c=(0,L.useMemo)(()=>{let n=e.map(e=>({...e.node,cursor:e.cursor}));return o.map(e=>({post:e,at:be(e,n,t)}))},[o,e,t]);(0,L.useEffect)(()=>{i?.setTop(t),n&&i?.count()},[i,t,n]),(0,L.useEffect)(()=>{let e=c.filter(({at:e})=>e!==`above`);if(e.length&&i){for(let{post:t,at:n}of e)Xn(r,t,n);i.settle(new Set(e.map(({post:e})=>e.id)))}},[r,i,c]);let l=c.filter(({at:e})=>e===`above`).map(({post:e})=>e),u=[...new Map(l.reverse().map(({author:e})=>[e.databaseId,e])).values()];return{count:xe(l.length,s),authors:u}}function Xn(e,t,n){typeof n!=`string`&&(0,R.commitLocalUpdate)(e,e=>{let r=ft(e),i=e.get(t.id);if(!r||!i)return;let a=z.ConnectionHandler.createEdge(e,r,i,`FeedEdge`);a.setValue(t.cursor,`cursor`),z.ConnectionHandler.insertEdgeBefore(r,a,n.before)})}function Zn(e){let t=(0,L.useRef)(e);(0,L.useEffect)(()=>{t.current=e}),(0,L.useEffect)(()=>{let e=()=>{let e=Qn(),n=t.current.findIndex(t=>t.node.id===e);Bt(A.get().key,n>0?t.current[n-1]?.cursor??null:null)};return addEventListener(`pagehide`,e),()=>removeEventListener(`pagehide`,e)},[])}function Qn(){return[...document.querySelectorAll(`.window-item`)].find(e=>e.getBoundingClientRect().bottom>0)?.dataset.key}var $n=60;function er({viewer:e}){let t=(0,R.usePaginationFragment)(Ut,e),{edges:n,pageInfo:r}=t.data.homeFeed,i=(0,L.useMemo)(()=>n.filter(e=>e.node!=null),[n]),a=(0,L.useRef)(null),o=Yn(i,r.startCursor??null,r.hasPreviousPage),{line:s,toNewest:c,busy:u}=tr({pages:t,pageInfo:r,list:a,first:i[0]?.node.id??null,missing:o.count});Zn(i),J(`.`,c),J(`j`,()=>a.current?.move(1)),J(`k`,()=>a.current?.move(-1));let{loadPrevious:d,isLoadingPrevious:f}=t,[p,m]=(0,L.useState)(!1),h=(0,L.useCallback)(()=>{f||p||d(20,{onComplete:e=>m(e!==null)})},[d,f,p]);return(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(qt,{count:o.count,authors:o.authors,busy:u,onClick:c}),(0,H.jsx)(Kn,{ref:a,label:`Home feed`,edges:i,hasNext:t.hasNext,loadNext:t.loadNext,loadingNext:t.isLoadingNext,above:{more:r.hasPreviousPage,loading:f,load:h},line:s?{before:s,text:`New down to here`}:null,end:`You have reached the shore. There is nothing older.`,empty:(0,H.jsxs)(l,{icon:`home`,title:`Your feed is calm`,children:[(0,H.jsx)(`p`,{children:`It fills with the posts of people you follow.`}),(0,H.jsx)(P,{className:`button button-primary`,href:`/search`,children:`Find people to follow`})]})})]})}function tr({pages:e,pageInfo:t,list:n,first:r,missing:i}){let a=(0,R.useRelayEnvironment)(),o=ne(),c=T(),[l,u]=(0,L.useState)(null),[d,f]=(0,L.useState)(!1),{loadPrevious:p,isLoadingPrevious:m}=e,{hasPreviousPage:h,startCursor:g}=t,_=async()=>{if(d)return;f(!0);let e=o?.announced()??[];try{g&&!h&&!m&&i<=$n?await new Promise((e,t)=>p(100,{onComplete:n=>n?t(n):e()})):await(0,R.fetchQuery)(a,Gt,{first:20,after:null},{fetchPolicy:`network-only`}).toPromise(),o?.read(e),i>0&&u(r),n.current?.toTop()}catch(e){let t=S(e),{requestId:n,away:r}=t;c.show({tone:`bad`,title:`The new posts are not shown`,text:s(t),requestId:n,away:r,action:{label:`Try again`,run:()=>void _()}})}finally{f(!1)}},v=(0,L.useRef)(_);return(0,L.useEffect)(()=>{v.current=_}),{line:l,busy:d,toNewest:(0,L.useCallback)(()=>void v.current(),[])}}function nr({attempt:e}){let[t]=(0,L.useState)(()=>A.get().key),n=e===0?Vt(t):null,{viewer:r}=(0,R.useLazyLoadQuery)(Gt,{first:20,after:n},{fetchKey:e});return(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(`h1`,{className:`hidden`,tabIndex:-1,children:`Home`}),(0,H.jsx)(`div`,{className:`home-composer`,children:(0,H.jsx)(Ct,{draft:{text:``}})}),r&&(0,H.jsx)(er,{viewer:r})]})}var rr=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`first`},t={defaultValue:null,kind:`LocalArgument`,name:`id`},n=[{kind:`Variable`,name:`id`,variableName:`id`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={args:null,kind:`FragmentSpread`,name:`PostCard_post`},s=[{kind:`Variable`,name:`first`,variableName:`first`}],c={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},m={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},g={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},_={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},v={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},y={alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},b={alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,l,a,i,u,d,f,p,m],storageKey:null},x={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,r],storageKey:null}],storageKey:null},S={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,g,_,v,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,a,i,r],storageKey:null}],storageKey:null},C={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},w={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},T={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{fragment:{kind:`InlineFragment`,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,o],storageKey:null},o,{args:s,kind:`FragmentSpread`,name:`PostComments_post`}],type:`Post`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[c,r,{kind:`InlineFragment`,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a,r,l,u,d,f,p,m],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,h,g,_,v,y,b,x,S,C,w,T],storageKey:null},h,g,_,v,y,S,C,w,T,{alias:null,args:s,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,h,g,_,v,y,b,x,S,C,w,T,c],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:s,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e33330cd7fc639fb1de04e2c9ce86c19`,id:null,metadata:{},name:`PostPageQuery`,operationKind:`query`,text:`query PostPageQuery(
  $id: ID!
  $first: Int!
) {
  node(id: $id) {
    __typename
    ... on Post {
      id
      author {
        name
        handle
        id
      }
      replyTo {
        id
        ...PostCard_post
      }
      ...PostCard_post
      ...PostComments_post_3ASum4
    }
    id
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostComments_post_3ASum4 on Post {
  comments(first: $first) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();rr.hash=`8d43625e4928efb1f23a574c41d4f7ff`;var ir=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`PostComments_post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[i,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`581eb826f66d100e9f7ee934ead8ab15`,id:null,metadata:{},name:`PostCommentsPageQuery`,operationKind:`query`,text:`query PostCommentsPageQuery(
  $after: String
  $first: Int
  $id: ID!
) {
  node(id: $id) {
    __typename
    ...PostComments_post_2HEEH6
    id
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostComments_post_2HEEH6 on Post {
  comments(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();ir.hash=`3b9bf2976104d5471d7847fa8315b561`;var ar=(function(){var e=[`comments`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:ir,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`PostComments_post`,selections:[{alias:`comments`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__PostComments_comments_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`Post`,abstractKey:null}})();ar.hash=`3b9bf2976104d5471d7847fa8315b561`;function or({post:e}){let{data:t,hasNext:n,loadNext:r,isLoadingNext:i}=(0,R.usePaginationFragment)(ar,e);return(0,H.jsx)(`section`,{"aria-label":`Replies`,children:(0,H.jsx)(Kn,{label:`Replies to the post`,edges:t.comments.edges.filter(e=>e.node!=null),hasNext:n,loadNext:r,loadingNext:i,empty:(0,H.jsx)(`p`,{className:`list-end`,children:`Nobody has replied yet.`}),end:`Those are all replies.`})})}function sr({id:e,attempt:t}){let{node:n}=(0,R.useLazyLoadQuery)(rr,{id:e,first:20},{fetchKey:t,fetchPolicy:`store-and-network`}),{session:r}=w(),i=n?.post;return i?(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(F,{title:`Post by ${i.author.name}`,back:!0}),i.replyTo&&(0,H.jsx)(`div`,{className:`thread-parent`,children:(0,H.jsx)(Rn,{post:i.replyTo})}),(0,H.jsx)(Rn,{post:i,alone:!0}),r.user&&(0,H.jsx)(`div`,{className:`home-composer`,children:(0,H.jsx)(Ct,{draft:{text:``,replyTo:i.id}},i.id)}),(0,H.jsx)(or,{post:i})]}):(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(F,{title:`Post`,back:!0}),(0,H.jsx)(l,{icon:`reply`,title:`There is no such post`,children:(0,H.jsx)(`p`,{children:`It was deleted, or it is not shown to you.`})})]})}function Q({label:e=`For developers`}){return(0,H.jsxs)(`nav`,{className:`server-links`,"aria-label":e,children:[(0,H.jsx)(`a`,{href:`/graphiql`,children:`GraphiQL`}),(0,H.jsx)(`a`,{href:`/schema.graphql`,children:`Schema`}),(0,H.jsx)(`a`,{href:`/tasks`,children:`Task queues`}),(0,H.jsx)(`a`,{href:`/healthz`,children:`Health`})]})}function cr(){return(0,L.useEffect)(()=>{document.title=`Tideline`},[]),(0,H.jsxs)(`div`,{className:`welcome`,children:[(0,H.jsxs)(`div`,{className:`welcome-words`,children:[(0,H.jsx)(d,{}),(0,H.jsx)(`h1`,{tabIndex:-1,children:`Tideline`}),(0,H.jsx)(`p`,{className:`lead`,children:`Everything the people you follow have written. In order, and all of it.`}),(0,H.jsx)(Q,{})]}),(0,H.jsx)(Tt,{}),(0,H.jsx)(lr,{})]})}function lr(){return(0,H.jsxs)(`svg`,{className:`sea`,viewBox:`0 0 1200 220`,preserveAspectRatio:`none`,"aria-hidden":`true`,focusable:`false`,children:[(0,H.jsx)(`path`,{d:`M0 70c100-60 200-60 300 0s200 60 300 0 200-60 300 0 200 60 300 0v150H0Z`}),(0,H.jsx)(`path`,{d:`M0 120c75-44 150-44 225 0s150 44 225 0 150-44 225 0 150 44 225 0 150-44 300 0v100H0Z`}),(0,H.jsx)(`path`,{d:`M0 165c120-38 240-38 360 0s240 38 360 0 240-38 480 0v55H0Z`})]})}var ur=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[t],storageKey:null},{alias:null,args:[{kind:`Variable`,name:`first`,variableName:`first`}],concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},{kind:`ClientExtension`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__id`,storageKey:null}]}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveNowQuery`,selections:n,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveNowQuery`,selections:n},params:{cacheID:`c5c0bef5aa34d4f3bb22a7905abadfe6`,id:null,metadata:{},name:`LiveNowQuery`,operationKind:`query`,text:`query LiveNowQuery(
  $first: Int!
) {
  viewer {
    user {
      id
    }
    liveFeed(first: $first) {
      nodes {
        id
        title
        state
        scheduledAt
        startedAt
        endedAt
        host {
          id
          databaseId
          name
          handle
          viewerFollows
          viewerMutes
          viewerBlocks
        }
      }
    }
  }
}
`}}})();ur.hash=`1751d078427ff254437a3dfebce7822a`;var dr=class extends L.Component{state={failed:!1};static getDerivedStateFromError(){return{failed:!0}}render(){return this.state.failed?null:this.props.children}};function fr(e,t,n){let r=(0,R.useRelayEnvironment)(),i=JSON.stringify(n),a=(0,L.useCallback)(()=>{(0,R.fetchQuery)(r,t,JSON.parse(i),{fetchPolicy:`network-only`}).subscribe({error:()=>void 0})},[r,t,i]);(0,R.useSubscribeToInvalidationState)(e?[e]:[],a)}var pr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`ids`}],t=[{kind:`Variable`,name:`ids`,variableName:`ids`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{fragment:{kind:`InlineFragment`,selections:[n,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],type:`LiveSession`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`session`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},n,{kind:`InlineFragment`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},n],storageKey:null}],type:`LiveSession`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e2eb35752487c1f18eeb9e12d79d3d3f`,id:null,metadata:{},name:`useFreshStatesQuery`,operationKind:`query`,text:`query useFreshStatesQuery(
  $ids: [ID!]!
) {
  nodes(ids: $ids) {
    __typename
    ... on LiveSession {
      id
      ...LiveCard_session
    }
    id
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}
`}}})();pr.hash=`bec7d7d0ed7ee98ea27d375bb8ff679a`;var mr=1e4,hr=100;function gr(e){let t=(0,R.useRelayEnvironment)(),n=e.filter(({node:e})=>e!=null&&e.state!==`REPLAY`).map(({node:e})=>e.id),r=(0,L.useRef)(n);(0,L.useEffect)(()=>{r.current=n.slice(0,hr)}),(0,L.useEffect)(()=>{let e=()=>{!document.hidden&&r.current.length&&(0,R.fetchQuery)(t,pr,{ids:r.current},{fetchPolicy:`network-only`}).subscribe({error:()=>void 0})},n=setInterval(e,mr);return document.addEventListener(`visibilitychange`,e),()=>{clearInterval(n),document.removeEventListener(`visibilitychange`,e)}},[t])}var _r=4;function vr(){return(0,H.jsx)(dr,{children:(0,H.jsx)(L.Suspense,{children:(0,H.jsx)(br,{})})})}var yr=ur;function br(){let{viewer:e}=(0,R.useLazyLoadQuery)(yr,{first:_r});fr(e?.__id,yr,{first:_r});let t=t=>t.id===e?.user.id||t.viewerFollows&&!t.viewerMutes&&!t.viewerBlocks,n=_(`second`);gr((e?.liveFeed.nodes??[]).map(e=>({node:e})));let r=e?.liveFeed.nodes.filter(({state:e,host:n})=>e!==`REPLAY`&&t(n))??[];return r.length?(0,H.jsxs)(`section`,{className:`card live-now`,"aria-labelledby":`live-now-title`,children:[(0,H.jsx)(`h2`,{id:`live-now-title`,children:`On air and coming up`}),(0,H.jsx)(`ul`,{children:r.map(e=>(0,H.jsxs)(`li`,{className:`live-small live-${e.state.toLowerCase()}`,children:[(0,H.jsx)(M,{user:e.host,size:`small`}),(0,H.jsxs)(`span`,{className:`live-words`,children:[(0,H.jsx)(`span`,{className:`live-title`,dir:`auto`,children:e.title}),(0,H.jsx)(`span`,{className:`live-clock`,children:(0,H.jsx)(`bdi`,{children:e.host.name})}),(0,H.jsx)(`span`,{className:`live-clock`,children:v(e,n)})]})]},e.id))}),(0,H.jsx)(P,{href:`/live`,className:`card-more`,children:`All sessions`})]}):null}function xr({route:e}){let{session:t}=w(),[n,r]=(0,L.useState)(``);return(0,H.jsxs)(`aside`,{className:`beside`,"aria-label":`Beside the page`,children:[e.name!==`search`&&(0,H.jsxs)(`form`,{className:`search`,role:`search`,"aria-label":`People`,onSubmit:e=>{e.preventDefault(),I(le(n.trim()))},children:[(0,H.jsx)(E,{name:`search`}),(0,H.jsx)(`input`,{type:`search`,dir:`auto`,"aria-label":`Find people`,placeholder:`Find people`,maxLength:100,value:n,onChange:e=>r(e.target.value)})]}),t.user&&e.name!==`live`&&(0,H.jsx)(vr,{}),(0,H.jsx)(Q,{}),(0,H.jsxs)(`p`,{className:`hint`,children:[`Press `,(0,H.jsx)(`kbd`,{children:`?`}),` for the keys.`]})]})}var Sr=x({posts:[],counted:0});function Cr({route:e}){let{session:t}=w(),{compose:n,account:r}=D(),{posts:i,counted:o}=a(ne()?.state??Sr),s=e.name!==`home`&&xe(i.length,o)>0,c=r?.handle??t.user?.handle,l=t=>e.name===t,u=[{name:`home`,label:`Home`,icon:`home`,href:`/`,here:l(`home`)},{name:`search`,label:`Search`,icon:`search`,href:`/search`,here:l(`search`)},{name:`live`,label:`Live`,icon:`live`,href:`/live`,here:l(`live`)},...c?[{name:`profile`,label:`Profile`,icon:`person`,href:k(c),here:e.name===`profile`&&e.handle===c}]:[],{name:`settings`,label:`Settings`,icon:`settings`,href:`/settings`,here:l(`settings`)}];return(0,H.jsxs)(`header`,{className:`side`,children:[(0,H.jsxs)(P,{href:`/`,className:`brand`,"aria-label":`Tideline, home`,children:[(0,H.jsx)(d,{}),(0,H.jsx)(`span`,{children:`Tideline`})]}),(0,H.jsx)(`nav`,{className:`ways`,"aria-label":`Main`,children:u.map(e=>(0,H.jsxs)(P,{href:e.href,className:`way`,"aria-current":e.here?`page`:void 0,children:[(0,H.jsx)(E,{name:e.icon,filled:!1}),(0,H.jsx)(`span`,{children:e.label}),e.name===`home`&&s&&(0,H.jsx)(`span`,{className:`dot`,children:(0,H.jsx)(`span`,{className:`hidden`,children:`, new posts`})})]},e.name))}),t.user?(0,H.jsxs)(`button`,{type:`button`,className:`button button-primary side-compose`,onClick:()=>n({text:``}),children:[(0,H.jsx)(E,{name:`compose`}),` `,(0,H.jsx)(`span`,{children:`New post`})]}):(0,H.jsxs)(P,{href:`/`,className:`button button-primary side-compose`,children:[(0,H.jsx)(E,{name:`key`}),` `,(0,H.jsx)(`span`,{children:`Sign in`})]})]})}var wr=0,Tr=[],Er=[];function $(e){let t=null,n=!1,r=async()=>{let t=wr;try{return await e()}catch{if(t!==wr)return r();throw n=!0,new g(`UNREACHABLE`,`the page cannot be loaded`)}},i=()=>t??=r();return Tr.push(()=>{n&&=(t=null,!1)}),Er.push(()=>void i().catch(()=>void 0)),function(e){let t=(0,L.use)(i()).default;return(0,H.jsx)(t,{...e})}}var Dr=$(()=>V(()=>import(`./client-ProfilePage-fe703c1f.js`),__vite__mapDeps([0,1,2,3,4,5]))),Or=$(()=>V(()=>import(`./client-SearchPage-d8910585.js`),__vite__mapDeps([6,1,2,5,3]))),kr=$(()=>V(()=>import(`./client-LivePage-8cf390ea.js`),__vite__mapDeps([7,1,2,4]))),Ar=$(()=>V(()=>import(`./client-SettingsPage-8df9a79d.js`),__vite__mapDeps([8,1,2,3])));function jr(){wr++;for(let e of Tr)e()}function Mr(){for(let e of Er)e()}function Nr(){let{reachable:e,limitedUntil:t}=a(te().status);return(0,H.jsxs)(`div`,{className:`status-place`,role:`status`,children:[!e&&(0,H.jsxs)(`p`,{className:`status-bar`,children:[(0,H.jsx)(E,{name:`offline`}),` `,navigator.onLine?`The server does not answer.`:`You are offline.`,` What you see may be old.`]}),e&&t>0&&(0,H.jsx)(Pr,{until:t})]})}function Pr({until:e}){let t=Math.ceil((e-_(`second`))/1e3);return t<=0?null:(0,H.jsxs)(`p`,{className:`status-bar`,children:[(0,H.jsx)(E,{name:`clock`}),` The server asks for a pause of `,t,` s.`]})}var Fr=new Set([`home`,`profile`,`post`]);function Ir(){let e=a(A),{session:t}=w(),{compose:n}=D(),r=de(e.path,e.search),i=zr(e),o=r.name===`home`&&(!t.user||pe(e.search,location.href)!==null);return(0,H.jsxs)(`div`,{className:o?`shell shell-welcome`:`shell`,children:[(0,H.jsx)(`a`,{className:`skip`,href:`#main`,children:`Skip to the page`}),(0,H.jsx)(Nr,{}),!o&&(0,H.jsx)(Cr,{route:r}),(0,H.jsx)(`main`,{id:`main`,ref:i,tabIndex:-1,children:(0,H.jsx)(u,{onRetry:jr,children:t=>(0,H.jsx)(L.Suspense,{fallback:(0,H.jsx)(se,{label:`Loading the page`}),children:o?(0,H.jsx)(cr,{}):(0,H.jsx)(Lr,{route:r,attempt:t},e.key)})},e.path)}),!o&&(0,H.jsx)(xr,{route:r}),!o&&t.user&&Fr.has(r.name)&&(0,H.jsx)(`button`,{type:`button`,className:`compose-button`,"aria-label":`Write a post`,onClick:()=>n({text:``}),children:(0,H.jsx)(E,{name:`compose`})})]})}function Lr({route:e,attempt:t}){switch(e.name){case`home`:return(0,H.jsx)(nr,{attempt:t});case`profile`:return(0,H.jsx)(Dr,{handle:e.handle,tab:e.tab,attempt:t});case`post`:return(0,H.jsx)(sr,{id:e.id,attempt:t});case`live`:return(0,H.jsx)(Rr,{what:`live sessions`,children:(0,H.jsx)(kr,{attempt:t})});case`search`:return(0,H.jsx)(Or,{query:e.query});case`settings`:return(0,H.jsx)(Ar,{attempt:t});case`lost`:return(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(F,{title:`Nothing here`}),(0,H.jsx)(l,{icon:`search`,title:`There is no such page`,children:(0,H.jsx)(P,{className:`button`,href:`/`,children:`Go home`})})]})}}function Rr({what:e,children:t}){let{session:n,expired:r}=w();return n.user?t:(0,H.jsxs)(l,{icon:`key`,title:r?`Your sign-in has expired`:`Sign in first`,children:[(0,H.jsxs)(`p`,{children:[`The `,e,` of people you follow are shown to you alone.`]}),(0,H.jsx)(P,{className:`button button-primary`,href:`/`,children:`Sign in`})]})}function zr(e){let t=(0,L.useRef)(null),n=(0,L.useRef)(!0);return(0,L.useEffect)(()=>{n.current?n.current=!1:e.returned||(scrollTo({top:0,behavior:`instant`}),t.current?.contains(document.activeElement)||t.current?.focus({preventScroll:!0}))},[e.key,e.returned]),t}function Br({connection:e}){let[t,n]=(0,L.useState)(null),[r,i]=(0,L.useState)(null),[a,s]=(0,L.useState)(!1),c=(0,L.useCallback)(e=>{C().then(t=>{i(null),n(t),s(e&&!t.user)},e=>i(e))},[]),l=(0,L.useCallback)(()=>c(!1),[c]);(0,L.useEffect)(l,[l]);let u=(0,L.useMemo)(()=>t&&{session:t,expired:a,change:e=>{s(!1),n(e)}},[t,a]);return(0,H.jsx)(h,{value:e,children:(0,H.jsxs)(f,{children:[r!==null&&!u&&(0,H.jsx)(`main`,{className:`lone`,children:(0,H.jsx)(o,{error:r,retry:l})}),r===null&&!u&&(0,H.jsx)(`main`,{className:`lone`,children:(0,H.jsx)(se,{label:`Loading Tideline`})}),u&&(0,H.jsx)(me,{value:u,children:(0,H.jsx)(Vr,{connection:e,user:u.session.user?.id??null,signedOut:()=>c(u.session.user!==null)},u.session.user?.id??``)})]})})}function Vr({connection:e,user:t,signedOut:n}){let[{environment:r,news:i}]=(0,L.useState)(()=>{let r=new Re(`/graphql`),i=Me(e,r,{known:t!==null,signedOut:n});return{environment:i,news:t===null?null:new Te(i,r)}});return(0,L.useEffect)(()=>i?.start(),[i]),(0,H.jsx)(R.RelayEnvironmentProvider,{environment:r,children:(0,H.jsx)(m,{value:i,children:(0,H.jsx)(Pt,{children:(0,H.jsx)(Ir,{})})})})}var Hr=[`system`,`light`,`dark`],Ur=`tideline-theme`;function Wr(){let e=localStorage.getItem(Ur);return Hr.find(t=>t===e)??`system`}function Gr(e){e===`system`?(localStorage.removeItem(Ur),delete document.documentElement.dataset.theme):(localStorage.setItem(Ur,e),document.documentElement.dataset.theme=e)}var Kr=1e3,qr=3e4,Jr=class{healthUrl;status=x({reachable:!0,limitedUntil:0});#e;#t=Kr;#n=0;constructor(e){this.healthUrl=e,addEventListener(`offline`,()=>this.lost()),addEventListener(`online`,()=>void this.#i()),navigator.onLine||this.lost()}asked(){let e=this.#n;return()=>{e===this.#n&&this.#r()}}#r(){clearTimeout(this.#e),this.#e=void 0,this.#t=Kr,this.status.get().reachable||this.status.set({...this.status.get(),reachable:!0})}lost(){this.status.get().reachable&&(this.#n++,this.status.set({...this.status.get(),reachable:!1})),this.#e??=setTimeout(()=>void this.#i(),this.#t)}limited(e){this.status.set({...this.status.get(),limitedUntil:Date.now()+Math.max(1,e)*1e3})}async#i(){clearTimeout(this.#e),this.#e=void 0;let e=this.asked();try{await fetch(this.healthUrl,{cache:`no-store`}),e()}catch{this.#t=Math.min(this.#t*2,qr),this.lost()}}},Yr=2e3;Gr(Wr()),ie(),addEventListener(`hashchange`,()=>{re(location.hash)!==null&&location.reload()});var Xr=document.getElementById(`client`),Zr=e=>{e instanceof g||console.error(e)},Qr=new Jr(`/healthz`);Qr.status.subscribe(()=>{Qr.status.get().reachable&&(jr(),Mr())}),Xr&&(0,ge.createRoot)(Xr,{onCaughtError:Zr}).render((0,H.jsx)(Br,{connection:Qr})),setTimeout(Mr,Yr);export{fr as a,In as c,Ye as d,U as f,gr as i,mn as l,Gr as n,Q as o,Wr as r,Kn as s,Hr as t,Nt as u};